/** An error of PostgreSQL that the page shows as it is. */

/** What PostgreSQL reported. */
export interface Problem {
  /** SQLSTATE, or the code of the service. */
  code: string;
  message: string;
  detail?: string;
  hint?: string;
  column?: string;
}

/** A statement failed. */
export class SqlRefusal extends Error {
  override readonly name = 'SqlRefusal';
  readonly problem: Problem;

  constructor({ code, message, detail, hint, column }: Problem) {
    super(message);
    this.problem = {
      code,
      message,
      ...(detail && { detail }),
      ...(hint && { hint }),
      ...(column && { column }),
    };
  }
}

/** Returns the sentence of a problem with its detail and hint. */
export function describeProblem({ message, detail, hint }: Problem): string {
  return [message, detail, hint].filter(Boolean).join(' – ');
}
