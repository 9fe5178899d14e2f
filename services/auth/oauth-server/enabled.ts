/** What every endpoint of the authorization server asks first. */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isAllowedRedirect } from '../redirect/allow-list.ts';

/** Throws `feature_disabled` where there is no authorization server. */
export function requireOAuthServer({ config }: Pick<AuthContext, 'config'>): void {
  if (!config.oauthServer.enabled) throw failure('feature_disabled');
}

/**
 * Decisions are made on the site's pages: a browser that says it is on another one is refused, with
 * `validation_failed`. Callers that are no browser say nothing.
 */
export function requireOwnOrigin({ config }: Pick<AuthContext, 'config'>, request: AuthRequest): void {
  const origin = request.header('origin') ?? '';
  if (origin === '' || isAllowedRedirect(origin, config)) return;
  throw failure('validation_failed', { message: 'unauthorized request origin' });
}
