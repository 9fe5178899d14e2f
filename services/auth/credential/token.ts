/** POST /token: the OAuth 2.0 grants that return a session. */
import type { AuthContext, EndpointHandler } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { exchangeAuthCode } from '../session/exchange-code.ts';
import { refreshSession } from '../session/refresh.ts';
import { signInWithPassword } from './sign-in.ts';

/** Query parameter `grant_type` → handler. Handlers that need large packages are loaded on first use. */
const GRANTS = new Map<string, EndpointHandler>([
  ['password', signInWithPassword],
  ['refresh_token', refreshSession],
  ['pkce', exchangeAuthCode],
  ['id_token', async (...call) => (await import('../identity/oauth/id-token.ts')).idTokenGrant(...call)],
  ['web3', async (...call) => (await import('../identity/web3/grant.ts')).web3Grant(...call)],
]);

/**
 * Whether a request starts a sign-in and needs a captcha. The other grants continue a sign-in that was verified
 * elsewhere.
 */
export function isNewSignIn({ query }: AuthRequest): boolean {
  const type = query.get('grant_type');
  return type === 'password' || type === 'web3';
}

/** Dispatches to the handler of `grant_type`. */
export async function token(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const type = request.query.get('grant_type') ?? '';
  const grant = GRANTS.get(type);
  if (grant === undefined) throw failure('invalid_credentials', { message: 'unsupported_grant_type' });
  context.limits.check(type === 'web3' ? 'web3' : 'token', request, context.now());
  return grant(context, request);
}
