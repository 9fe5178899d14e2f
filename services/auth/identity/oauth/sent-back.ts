/** Where people are sent at the end of a sign-in at a provider, and how they are told what went wrong. */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../../context.ts';
import type { AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { redirectUrl } from '../../redirect/target.ts';

/** Errors that say that somebody may not; the others are the server's (RFC 6749 §4.1.2.1). */
const DENIED = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification']);

/** Sends them to a URL with parameters. It holds secrets, so no cache keeps it and nobody else learns it. */
export function sentBack(
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

/** Tells an error in the query and in the fragment: clients look into one of them. Rethrows what is no error of ours. */
export function sentBackWithError(target: string, error: unknown): AuthResponse {
  const known = error instanceof CatalogueError ? error : failure('unexpected_failure', { cause: error });
  const told = {
    error: oauthError(known),
    error_code: known.code,
    error_description: known.message,
  };
  return sentBack(target, { query: told, fragment: told });
}

function oauthError({ code, extra }: CatalogueError): string {
  // What the provider itself has said, e.g. that somebody pressed Cancel.
  if (code === 'bad_oauth_callback')
    return typeof extra?.error === 'string' ? extra.error : 'invalid_request';
  if (code === 'bad_oauth_state') return 'invalid_request';
  return DENIED.has(code) ? 'access_denied' : 'server_error';
}

/** Nobody knows where they came from: to the site. */
export function badState({ config }: AuthContext): AuthResponse {
  const told = {
    error: 'invalid_request',
    error_code: 'bad_oauth_state',
    error_description: 'OAuth state not found or expired',
  };
  return sentBack(config.redirects.siteUrl, { query: told }, 303);
}
