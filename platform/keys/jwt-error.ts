/** The error for a rejected token. */

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
