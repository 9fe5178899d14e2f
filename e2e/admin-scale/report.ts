/** The result of the trial: counts what passed, prints each check, and collects the failures. */

import { stripVTControlCharacters } from 'node:util';

/** Kinds of checks apart from measurements. */
type CheckKind = 'task' | 'page' | 'keyboard task';

/** A measured value. A minimum instead of a maximum is a negative limit of a negative value. */
interface Measurement {
  name: string;
  value: number;
  unit: string;
  limit: number;
  /** Printed with a failure. */
  detail?: string;
}

/** Width of the names in the output. */
const NAME_WIDTH = 64;

/** Counts and failures of a run. */
export class Report {
  readonly #print: (line: string) => void;
  readonly #failures: string[] = [];
  readonly #passed: Record<CheckKind, number> = { task: 0, page: 0, 'keyboard task': 0 };
  #measurements = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Prints a line of a name and a value. */
  note(name: string, value: string): void {
    this.#print(`${name.padEnd(NAME_WIDTH)} ${value}`);
  }

  fail(text: string): void {
    this.#failures.push(text);
  }

  /** Counts a measurement. It fails above its limit. */
  measure({ name, value, unit, limit, detail = '' }: Measurement): void {
    this.#measurements += 1;
    const isMissed = value > limit;
    const text = `${Math.abs(Math.round(value))} ${unit}${isMissed ? ` (limit ${Math.abs(limit)})` : ''}`;
    this.note(name, text);
    if (isMissed) this.fail(`${name}: ${text} ${detail}`.trim());
  }

  /** Runs a check, and counts it if it does not throw. Returns whether it passed. */
  async check(kind: CheckKind, name: string, run: () => Promise<void>): Promise<boolean> {
    try {
      await run();
    } catch (error) {
      this.note(`${kind}: ${name}`, 'failed');
      const message = error instanceof Error ? error.message : String(error);
      this.fail(`${kind}: ${name}: ${stripVTControlCharacters(message)}`);
      return false;
    }
    this.#passed[kind] += 1;
    this.note(`${kind}: ${name}`, 'passed');
    return true;
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  /** Prints the counts and the failures. `sizes` says with which data. */
  end(sizes: string): void {
    const { task, page, 'keyboard task': keyboard } = this.#passed;
    const counts = `${this.#measurements} measurements, ${task} tasks, ${page} pages clean, ${keyboard} keyboard tasks`;
    this.#print(`${counts} with ${sizes}: ${this.#failures.length} failed`);
    for (const failure of this.#failures) this.#print(`  ${failure}`);
  }
}
