/** Reads the Test Anything Protocol, version 13 (https://testanything.org), as pgTAP writes it. */

/** A test that failed. */
interface FailedTest {
  number: number;
  description: string;
  /** The lines after it that begin with `#`. */
  diagnostics: readonly string[];
}

/** The results of one file. */
export interface TapResult {
  /** Number of tests that ran. */
  count: number;
  failed: readonly FailedTest[];
  /** Tests that are marked as TODO and passed. */
  passedTodos: readonly number[];
  /** Why the plan skips all tests; undefined if it does not. */
  skipped: string | undefined;
  /** Why the output is not that of a complete run, e.g. a plan that was not met. */
  problems: readonly string[];
  /** Why no further file should run; undefined if one should. */
  bailOut: string | undefined;
}

const PLAN = /^1\.\.(\d+)\s*(?:#\s*skip\w*:?\s*(.*))?$/i;
const TEST = /^(not )?ok\b(?:\s+(\d+))?\s*(?:-\s+)?(.*)$/;
/** pgTAP writes `\#` for a number sign of a description. */
const DIRECTIVE = /(?:^|\s)#\s*(todo|skip)\b\s*(.*)$/i;
const BAIL_OUT = /^Bail out!\s*(.*)$/i;

/** Reads lines of one file. Lines that are not part of the protocol are ignored, and so are the results of subtests. */
export class TapReader {
  #planned: number | undefined;
  #skipped: string | undefined;
  #count = 0;
  #bailOut: string | undefined;
  readonly #failed: (FailedTest & { diagnostics: string[] })[] = [];
  readonly #passedTodos: number[] = [];
  readonly #problems: string[] = [];
  /** The diagnostics of the last test, if it failed. */
  #diagnostics: string[] | undefined;

  /** Adds a line without its line break. */
  add(line: string): void {
    const plan = PLAN.exec(line);
    const test = TEST.exec(line);
    if (plan) this.#addPlan(Number(plan[1]), plan[2]);
    else if (test) this.#addTest(test);
    else if (line.startsWith('#')) this.#diagnostics?.push(line);
    else this.#bailOut ??= BAIL_OUT.exec(line)?.[1];
  }

  /** Returns the results after the last line. */
  finish(): TapResult {
    return {
      count: this.#count,
      failed: this.#failed,
      passedTodos: this.#passedTodos,
      skipped: this.#skipped,
      problems: [...this.#problems, ...this.#planProblems()],
      bailOut: this.#bailOut,
    };
  }

  #planProblems(): string[] {
    if (this.#bailOut !== undefined) return [];
    if (this.#planned === undefined) return ['there is no plan: the file calls neither plan() nor finish()'];
    if (this.#planned === this.#count) return [];
    return [`${this.#planned} tests are planned, but ${this.#count} ran`];
  }

  #addPlan(planned: number, skipped: string | undefined): void {
    if (this.#planned !== undefined) this.#problems.push('there are several plans');
    this.#planned = planned;
    if (planned === 0) this.#skipped = skipped?.trim() ?? '';
    this.#diagnostics = undefined;
  }

  #addTest([, not, given, rest = '']: RegExpExecArray): void {
    this.#count++;
    const number = given === undefined ? this.#count : Number(given);
    if (number !== this.#count) this.#problems.push(`test ${number} came in place of test ${this.#count}`);
    const directive = DIRECTIVE.exec(rest)?.[1]?.toLowerCase();
    this.#diagnostics = undefined;
    if (directive === 'todo' && !not) this.#passedTodos.push(number);
    if (directive !== undefined || !not) return;
    this.#diagnostics = [];
    this.#failed.push({ number, description: rest.trim(), diagnostics: this.#diagnostics });
  }
}
