/** Runs hook CUSTOM_ACCESS_TOKEN, which decides the claims of an access token. */
import type { Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import type { AccessTokenClaims } from './access-token.ts';

/** Payload of the hook. */
interface CustomAccessTokenInput {
  user_id: string;
  claims: AccessTokenClaims;
  /** The method of the latest authentication, as in claim `amr`, or `token_refresh`. */
  authentication_method: string;
}

/** Claims that services require. The hook may add, change and remove all other claims. */
const claims = z.looseObject({
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.int(),
  iat: z.int(),
  sub: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.string(),
  aal: z.string(),
  session_id: z.string(),
  is_anonymous: z.boolean(),
  iss: z.string().optional(),
  nbf: z.int().optional(),
  jti: z.string().optional(),
  client_id: z.string().optional(),
  app_metadata: z.record(z.string(), z.unknown()).optional(),
  user_metadata: z.record(z.string(), z.unknown()).optional(),
  amr: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).optional(),
});

/** The required claims and any others that the hook returned. */
export type IssuedClaims = z.output<typeof claims>;

const hook: Hook<{ claims: IssuedClaims }> = {
  name: 'customAccessToken',
  payloadName: 'customize-access-token',
  output: z.object({ claims }),
};

/**
 * Returns the claims of a token after the hook has run. The hook cannot change an application's `client_id`:
 * services and policies distinguish application tokens from the account's own sessions by it. Throws a
 * `HookFailure`.
 */
export async function customizeClaims(
  { hooks }: AuthContext,
  request: AuthRequest,
  input: CustomAccessTokenInput,
  tx?: Transaction,
): Promise<IssuedClaims> {
  const output = await hooks.call(hook, input, request, tx);
  const { client_id } = input.claims;
  return client_id === undefined ? output.claims : { ...output.claims, client_id };
}
