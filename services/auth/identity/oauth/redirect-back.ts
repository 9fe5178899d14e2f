/** Redirects that end a sign-in at a provider, with the result or an error. */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../../context.ts';
import type { AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { redirectUrl } from '../../redirect/target.ts';

/** Errors that deny access to a user; all others count as server errors (RFC 6749 §4.1.2.1). */
const ACCESS_DENIED = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification']);

/** Redirects to a URL with parameters. The URL contains secrets, so the response forbids caching and a referrer. */
export function redirectBack(
  target: string,
  parameters: Parameters<typeof redirectUrl>[1],
  status = 302,
): AuthResponse {
  return {
    status,
    headers: {
      location: redirectUrl(target, parameters),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  };
}

/** Redirects with the error in query and fragment, since clients read only one of them. */
export function redirectBackWithError(target: string, error: unknown): AuthResponse {
  const catalogueError =
    error instanceof CatalogueError ? error : failure('unexpected_failure', { cause: error });
  const parameters = {
    error: oauthError(catalogueError),
    error_code: catalogueError.code,
    error_description: catalogueError.message,
  };
  const response = redirectBack(target, { query: parameters, fragment: parameters });
  return { ...response, errorCode: catalogueError.code };
}

function oauthError({ code, extra }: CatalogueError): string {
  // The provider's own error code, e.g. if the user cancelled.
  if (code === 'bad_oauth_callback')
    return typeof extra?.error === 'string' ? extra.error : 'invalid_request';
  if (code === 'bad_oauth_state') return 'invalid_request';
  return ACCESS_DENIED.has(code) ? 'access_denied' : 'server_error';
}

/** Redirects to the site, since without a flow the starting page is unknown. */
export function redirectUnknownState({ config }: AuthContext): AuthResponse {
  const parameters = {
    error: 'invalid_request',
    error_code: 'bad_oauth_state',
    error_description: 'OAuth state not found or expired',
  };
  const response = redirectBack(config.redirects.siteUrl, { query: parameters }, 303);
  return { ...response, errorCode: parameters.error_code };
}
