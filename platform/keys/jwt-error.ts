/** Why a token was refused. */

/** `malformed`: not a JWT of three base64url parts; `claims`: not valid yet, or a claim of the wrong type. */
export type JwtErrorReason = 'malformed' | 'signature' | 'expired' | 'claims';

/** A refused token. The message is fit for a client; it never contains the token. */
export class JwtError extends Error {
  override readonly name = 'JwtError';
  readonly reason: JwtErrorReason;

  constructor(reason: JwtErrorReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
