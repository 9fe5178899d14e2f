/** Nested `\if … \elif … \else … \endif` of a script. */

/** One `\if`. `done`: an earlier branch has run, or the whole `\if` is in a branch that does not run. */
interface Level {
  state: 'running' | 'waiting' | 'done';
  hasElse: boolean;
}

const NAMES: readonly string[] = ['if', 'elif', 'else', 'endif'];

/** Whether a command is one of conditions, which also takes effect in a branch that does not run. */
export function isCondition(name: string): boolean {
  return NAMES.includes(name);
}

/** The conditions around the current place of a script. */
export class Conditions {
  readonly #levels: Level[] = [];

  /** Whether the current branch runs. */
  get isRunning(): boolean {
    return this.#levels.every(({ state }) => state === 'running');
  }

  /** Number of conditions without `\endif`. */
  get depth(): number {
    return this.#levels.length;
  }

  /**
   * Applies a command.
   * @param evaluate returns the value of its argument; not called in a branch that does not run
   * @throws Error if it does not belong here
   */
  apply(name: string, evaluate: () => boolean): void {
    if (name === 'if') {
      const state = this.isRunning ? (evaluate() ? 'running' : 'waiting') : 'done';
      this.#levels.push({ state, hasElse: false });
      return;
    }
    const level = this.#levels.at(-1);
    if (level === undefined) throw new Error(`\\${name} has no \\if`);
    if (name === 'endif') {
      this.#levels.pop();
      return;
    }
    if (level.hasElse) throw new Error(`\\${name} cannot follow \\else`);
    level.hasElse = name === 'else';
    if (level.state !== 'waiting') level.state = 'done';
    else if (name === 'else' || evaluate()) level.state = 'running';
  }
}

const TRUE: readonly string[] = ['true', 'yes', 'on', '1'];
const FALSE: readonly string[] = ['false', 'no', 'off', '0'];

/** Reads a Boolean of psql, whose words may be shortened. Returns undefined for another text. */
export function booleanOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (word === '' || word === 'o') return undefined;
  if (TRUE.some((name) => name.startsWith(word))) return true;
  return FALSE.some((name) => name.startsWith(word)) ? false : undefined;
}
