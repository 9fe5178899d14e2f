/**
 * OAuth 2.0 errors in the standard shape `{error, error_description}` (RFC 6749 §5.2). Unlike the errors of the
 * catalogue, they do not depend on the request's API version and have no error-code header.
 */

/**
 * Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7591 §3.2.2, RFC 8707 §2, OpenID Connect Core §3.1.2.6.
 */
export type OAuthErrorCode =
  | 'access_denied'
  | 'insufficient_scope'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** Options of {@link OAuthError}. `challenge` is the value of the header `WWW-Authenticate`. */
interface OAuthErrorDetails {
  status?: 400 | 401 | 403;
  challenge?: string;
}

/** An OAuth error response. The message is public and has neither quotes nor backslashes (RFC 6749 §5.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly challenge: string | undefined;

  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = 400, challenge }: OAuthErrorDetails = {},
  ) {
    super(description);
    this.code = code;
    this.status = status;
    this.challenge = challenge;
  }
}
