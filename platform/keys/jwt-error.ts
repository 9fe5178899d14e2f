/** The error for a rejected token. */
import { errors } from 'jose';

/** `malformed`: not a JWT of three base64url parts; `claims`: not valid yet, or a claim of the wrong type. */
export type JwtErrorReason = 'malformed' | 'signature' | 'expired' | 'claims';

/** A token was rejected. The message may be shown to clients; it never contains the token. */
export class JwtError extends Error {
  override readonly name = 'JwtError';
  readonly reason: JwtErrorReason;

  constructor(reason: JwtErrorReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Converts an error of jose. Any other error means that the token cannot be read. */
export function asJwtError(error: unknown): JwtError {
  if (error instanceof JwtError) return error;
  if (error instanceof errors.JWTExpired) return new JwtError('expired', 'token is expired', error);
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new JwtError('claims', `token has an invalid claim: ${error.claim}`, error);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return new JwtError('signature', 'token signature is invalid', error);
  }
  return new JwtError('malformed', 'token is malformed', error);
}
