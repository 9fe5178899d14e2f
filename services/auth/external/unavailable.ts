/**
 * Ways in that need a provider, while none can be configured: each answers as GoTrue does where it is switched off, so
 * that clients can tell it from a fault.
 */
import { requireCaller } from '../caller.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { failure } from '../errors.ts';

/** GET /authorize: sign-in with another provider. */
export async function authorize(_context: AuthContext, { query }: AuthRequest): Promise<AuthResponse> {
  throw unsupportedProvider(query.get('provider') ?? '');
}

/** GET /user/identities/authorize: adding another provider to the caller's account. */
export async function authorizeLinking(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireCaller(context, request);
  if (!context.config.manualLinking) throw failure('manual_linking_disabled');
  throw unsupportedProvider(request.query.get('provider') ?? '');
}

function unsupportedProvider(provider: string) {
  const reason = provider === '' ? 'missing provider' : 'provider is not enabled';
  return failure('validation_failed', { message: `Unsupported provider: ${reason}` });
}

/** POST /token?grant_type=id_token */
export async function idTokenGrant(): Promise<AuthResponse> {
  throw failure('provider_disabled', { message: 'Provider of the ID token is not enabled' });
}

/** POST /token?grant_type=web3 */
export async function web3Grant(): Promise<AuthResponse> {
  throw failure('web3_provider_disabled');
}
