/** The error that lists wrong settings to the operator. */

/** One wrong setting. `value` is undefined if the variable is a secret. */
export interface ConfigProblem {
  name: string;
  value: string | undefined;
  allowed: string;
  /** File, with the line if it is known, that contains the value, e.g. `supabase/config.toml:12`. */
  origin?: string;
}

/** Aborts the start. The message lists each wrong variable with its value (never a secret's) and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

function describeProblem({ name, value, allowed, origin }: ConfigProblem): string {
  const place = origin === undefined ? '' : `${origin}: `;
  const shown = value === undefined ? '(hidden)' : JSON.stringify(value);
  return `${place}${name}=${shown} is not allowed. Allowed: ${allowed}`;
}
