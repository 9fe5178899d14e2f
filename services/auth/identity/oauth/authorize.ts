/** GET /authorize and GET /user/identities/authorize: to a provider, to sign in or to add it to one's account. */

import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { requireCaller, requireSecondFactor } from '../../session/caller.ts';
import { beginSignIn } from './begin.ts';

/** Sends the browser to a provider. */
export async function authorize(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  context.limits.check('authorize', request, context.now());
  return sentTo(await beginSignIn(context, request));
}

/** Sends the browser there, or says where to send it, to add a provider to the caller's account. */
export async function authorizeLinking(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  const { user } = caller;
  context.limits.check('authorize', request, context.now(), user.id);
  if (!context.config.manualLinking) throw failure('manual_linking_disabled');
  requireSecondFactor(caller, 403, 'AAL2 required to link identities');
  const url = await beginSignIn(context, request, user.id);
  return request.query.get('skip_http_redirect') === 'true' ? { status: 200, body: { url } } : sentTo(url);
}

function sentTo(location: string): AuthResponse {
  return { status: 302, headers: { location, 'cache-control': 'no-store' } };
}
