/** Errors of certificate orders. */

const MAX_DETAIL_LENGTH = 500;
/** Control characters could forge lines of a terminal. */
const CONTROL = /\p{Cc}+/gu;

/** A problem document of an authority (RFC 8555 section 6.7, RFC 7807). */
export interface Problem {
  type?: string;
  detail?: string;
  subproblems?: readonly { detail?: string; identifier?: { value?: string } }[];
}

/** An order failed. The message names the reason. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError';
  /** Type of the problem without its prefix, e.g. `rateLimited`; undefined if the authority has named none. */
  readonly type: string | undefined;
  /** Time before which the authority accepts no further attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    {
      type,
      retryAfterMs,
      cause,
    }: { type?: string | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns the type of a problem without its prefix. */
export function typeOf({ type }: Problem): string | undefined {
  return type?.replace(/^urn:ietf:params:acme:error:/, '');
}

/** Returns the details of a problem as one line of limited length. */
export function describeProblem(problem: Problem): string {
  const details = (problem.subproblems ?? []).map(
    ({ identifier, detail }) => `${identifier?.value}: ${detail}`,
  );
  const text = [problem.detail ?? 'no details', ...details].join('; ').replaceAll(CONTROL, ' ');
  const type = typeOf(problem);
  return `${text.slice(0, MAX_DETAIL_LENGTH)}${type === undefined ? '' : ` (${type.slice(0, 100)})`}`;
}
