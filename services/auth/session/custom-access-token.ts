/** Hook CUSTOM_ACCESS_TOKEN: says what is in an access token. */
import type { Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import type { AccessTokenClaims } from './access-token.ts';

/** What the hook reads. */
interface CustomAccessTokenInput {
  user_id: string;
  claims: AccessTokenClaims;
  /** How the user has just authenticated, as in claim `amr`, or `token_refresh`. */
  authentication_method: string;
}

/** Without these no service could make anything of a token. Others may be added, changed and left out. */
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

/** The claims that a token needs, and whatever else there is. */
export type IssuedClaims = z.output<typeof claims>;

const hook: Hook<{ claims: IssuedClaims }> = {
  name: 'customAccessToken',
  payloadName: 'customize-access-token',
  output: z.object({ claims }),
};

/**
 * The claims of a token. An application's `client_id` always stays: services and policies tell an application's token
 * from a person's session by it. Throws a `HookFailure`.
 */
export async function customizeClaims(
  { hooks }: AuthContext,
  request: AuthRequest,
  input: CustomAccessTokenInput,
  tx?: Transaction,
): Promise<IssuedClaims> {
  const answer = await hooks.call(hook, input, request, tx);
  const { client_id } = input.claims;
  return client_id === undefined ? answer.claims : { ...answer.claims, client_id };
}
