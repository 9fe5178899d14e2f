/** POST /token?grant_type=web3: signs in with a message that a wallet has signed. Who is new gets an account. */

import { z } from 'zod';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import { type ChainName, chains, isChainName } from './chains.ts';
import { lastUseOf, problemWith } from './check.ts';
import { parseSignInMessage } from './message.ts';
import { invalidGrant } from './protocol-error.ts';
import { signInWithWallet } from './sign-in.ts';

const fields = z.object({ chain: textField, message: textField, signature: textField });

/** Signs in. Faults of the request's form throw; a message that is not good here is an error of OAuth 2.0. */
export async function web3Grant(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { config, now } = context;
  if (!Object.values(config.web3).some(({ enabled }) => enabled)) throw failure('web3_provider_disabled');
  const { chain: name, message, signature } = parseBody(request.body, fields);
  const chainName = requireChain(name, config);
  const chain = chains[chainName];
  const bytes = chain.readSignature(signature);
  const parsed = parseSignInMessage(message, chain);
  const { validityMs } = config.web3[chainName];
  // Before the signature: that takes longest.
  const problem = problemWith(parsed, config, validityMs, now());
  if (problem !== undefined) throw invalidGrant(problem);
  if (!chain.isSignedBy(parsed.address, message, bytes)) {
    throw invalidGrant('Signature does not match address in message');
  }
  const lastUse = lastUseOf(parsed, validityMs);
  return signInWithWallet(context, request, { chainName, parsed, text: message, lastUse });
}

function requireChain(name: string, { web3 }: Pick<AuthConfig, 'web3'>): ChainName {
  if (!isChainName(name)) throw failure('web3_unsupported_chain');
  if (web3[name].enabled) return name;
  throw failure('web3_provider_disabled', { message: `${chains[name].name} Web3 provider is disabled` });
}
