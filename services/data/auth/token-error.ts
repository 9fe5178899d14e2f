/** Why a request is not let in. The codes are PostgREST's (group 3 of its errors). */

/** `PGRST300`: no secret; `301`: the token is not one; `302`: there is none; `303`: what it claims does not hold. */
export type TokenErrorCode = 'PGRST300' | 'PGRST301' | 'PGRST302' | 'PGRST303';

/** A refused request. The message is fit for a client. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: TokenErrorCode;
  readonly status: 401 | 500;
  /** The value of header `WWW-Authenticate` (RFC 6750 §3). */
  readonly challenge: string | undefined;

  constructor(code: TokenErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = code === 'PGRST300' ? 500 : 401;
    this.challenge = challengeOf(code, message);
  }
}

function challengeOf(code: TokenErrorCode, message: string): string | undefined {
  if (code === 'PGRST300') return undefined;
  if (code === 'PGRST302') return 'Bearer';
  return `Bearer error="invalid_token", error_description="${message}"`;
}
