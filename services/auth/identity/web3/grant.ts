/**
 * POST /token?grant_type=web3: signs in with a message signed by a wallet. Creates an account for an unknown
 * wallet.
 */

import { z } from 'zod';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import { type ChainName, chains, isChainName } from './chains.ts';
import { messageExpiry, messageProblem } from './check.ts';
import { parseSignInMessage } from './message.ts';
import { invalidGrant } from './protocol-error.ts';
import { signInWithWallet } from './sign-in.ts';

const fields = z.object({ chain: textField, message: textField, signature: textField });

/**
 * Signs in. Throws catalogue errors for malformed requests and OAuth 2.0 errors for messages that are not
 * accepted.
 */
export async function web3Grant(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { config, now } = context;
  if (!Object.values(config.web3).some(({ enabled }) => enabled)) throw failure('web3_provider_disabled');
  const { chain: name, message, signature } = parseBody(request.body, fields);
  const chainName = requireChain(name, config);
  const chain = chains[chainName];
  const bytes = chain.readSignature(signature);
  const parsed = parseSignInMessage(message, chain);
  const { validityMs } = config.web3[chainName];
  // Check first: verifying the signature is the most expensive step.
  const problem = messageProblem(parsed, config, validityMs, now());
  if (problem !== undefined) throw invalidGrant(problem);
  if (!chain.isSignedBy(parsed.address, message, bytes)) {
    throw invalidGrant('Signature does not match address in message');
  }
  const expiresAt = messageExpiry(parsed, validityMs);
  return signInWithWallet(context, request, { chainName, parsed, text: message, expiresAt });
}

function requireChain(name: string, { web3 }: Pick<AuthConfig, 'web3'>): ChainName {
  if (!isChainName(name)) throw failure('web3_unsupported_chain');
  if (web3[name].enabled) return name;
  throw failure('web3_provider_disabled', { message: `${chains[name].name} Web3 provider is disabled` });
}
