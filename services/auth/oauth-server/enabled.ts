/** Preconditions of the authorization server's endpoints. */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isAllowedRedirect } from '../redirect/allow-list.ts';

/** Throws `feature_disabled` if the authorization server is disabled. */
export function requireOAuthServer({ config }: Pick<AuthContext, 'config'>): void {
  if (!config.oauthServer.enabled) throw failure('feature_disabled');
}

/**
 * Rejects requests from browsers on other origins than the site's with `validation_failed`, since decisions
 * belong on the site's pages. Callers other than browsers send no `Origin`.
 */
export function requireAllowedOrigin({ config }: Pick<AuthContext, 'config'>, request: AuthRequest): void {
  const origin = request.header('origin') ?? '';
  if (origin === '' || isAllowedRedirect(origin, config)) return;
  throw failure('validation_failed', { message: 'unauthorized request origin' });
}
