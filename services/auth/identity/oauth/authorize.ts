/** GET /authorize and GET /user/identities/authorize: redirect to a provider, to sign in or to link an identity. */

import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { requireCaller, requireSecondFactor } from '../../session/caller.ts';
import { beginSignIn } from './begin.ts';

/** Redirects the browser to a provider's sign-in page. */
export async function authorize(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  context.limits.check('authorize', request, context.now());
  return redirect(await beginSignIn(context, request));
}

/** Redirects the browser, or returns the URL, to link an identity to the caller's account. */
export async function authorizeLinking(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  const { user } = caller;
  context.limits.check('authorize', request, context.now(), user.id);
  if (!context.config.manualLinking) throw failure('manual_linking_disabled');
  requireSecondFactor(caller, 403, 'AAL2 required to link identities');
  const url = await beginSignIn(context, request, user.id);
  return request.query.get('skip_http_redirect') === 'true' ? { status: 200, body: { url } } : redirect(url);
}

function redirect(location: string): AuthResponse {
  return { status: 302, headers: { location, 'cache-control': 'no-store' } };
}
