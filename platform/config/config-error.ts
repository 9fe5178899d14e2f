/** What a person reads when a setting is wrong. */

/** One wrong setting. `value` is undefined where the variable is a secret. */
export interface ConfigProblem {
  name: string;
  value: string | undefined;
  allowed: string;
}

/** Stops the start: names each wrong variable, its value (never a secret's) and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

function describeProblem({ name, value, allowed }: ConfigProblem): string {
  return `${name}=${value === undefined ? '(hidden)' : JSON.stringify(value)} is not allowed. Allowed: ${allowed}`;
}
