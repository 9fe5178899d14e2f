/**
 * Evaluates the conditions that only PostgreSQL can evaluate, with one statement for all values of a condition. A
 * condition that times out matches nothing for a while, and neither do the other such conditions of the clients that
 * use it.
 */
import { type FeedDatabase, isPassing } from '../database.ts';
import type { RowChange } from '../replication/pgoutput.ts';
import type { CompiledTables } from './compiled-tables.ts';
import type { CompiledCondition } from './condition.ts';
import { imageValue } from './image.ts';
import type { Match } from './subscription.ts';

const SLOW_CONDITION_PAUSE_MS = 60_000;

/** For each change, the keys of the conditions that hold. */
export type Answers = ReadonlyMap<RowChange, ReadonlySet<string>>;

/** Options of {@link DatabaseConditions}. */
interface DatabaseConditionsOptions {
  database: FeedDatabase;
  tables: Pick<CompiledTables, 'conditionOf'>;
  /** Called if PostgreSQL could not evaluate a condition in time. */
  onSlowCondition: (error: Error) => void;
}

/** A condition and the changes to evaluate it for. */
interface Question {
  condition: CompiledCondition;
  changes: Set<RowChange>;
  /** Clients with this condition. */
  owners: Set<string>;
}

/** Evaluates conditions and suspends slow ones. */
export class DatabaseConditions {
  readonly #options: DatabaseConditionsOptions;
  readonly #slowConditions = createPauses(SLOW_CONDITION_PAUSE_MS);
  readonly #slowOwners = createPauses(SLOW_CONDITION_PAUSE_MS);

  constructor(options: DatabaseConditionsOptions) {
    this.#options = options;
  }

  /** Evaluates all conditions of candidates that have no test in process. Rejects if the database cannot be reached. */
  async evaluate(candidates: readonly Match[]): Promise<Answers> {
    const answers = new Map<RowChange, Set<string>>();
    await Promise.all(
      [...this.#questionsOf(candidates)].map(async ([key, question]) => {
        const changes = [...question.changes];
        const holds = await this.#answer(key, question, changes);
        for (const [index, change] of changes.entries()) {
          if (!holds[index]) continue;
          const keys = answers.get(change) ?? new Set();
          answers.set(change, keys.add(question.condition.key));
        }
      }),
    );
    return answers;
  }

  #questionsOf(candidates: readonly Match[]): Map<string, Question> {
    const questions = new Map<string, Question>();
    for (const { change, entries } of candidates) {
      for (const { params, subscription } of entries) {
        const { owner } = subscription;
        for (const condition of params.conditions) {
          const compiled = this.#options.tables.conditionOf(change.relation, condition);
          if (compiled === undefined || compiled.test !== undefined) continue;
          if (imageValue(change, condition.column) === undefined) continue;
          if (owner !== undefined && this.#slowOwners.has(owner)) continue;
          const key = `${change.relation.oid} ${compiled.key}`;
          const question = questions.get(key) ?? {
            condition: compiled,
            changes: new Set(),
            owners: new Set(),
          };
          question.changes.add(change);
          if (owner !== undefined) question.owners.add(owner);
          questions.set(key, question);
        }
      }
    }
    return questions;
  }

  /** Resolves with the results in the order of the changes; with an empty list if the condition is suspended. */
  async #answer(
    key: string,
    { condition, owners }: Question,
    changes: readonly RowChange[],
  ): Promise<readonly boolean[]> {
    if (this.#slowConditions.has(key)) return [];
    const values = changes.map((change) => imageValue(change, condition.column) ?? null);
    try {
      return await condition.evaluate(this.#options.database, values);
    } catch (error) {
      if (isPassing(error)) throw error;
      this.#slowConditions.add(key);
      for (const owner of owners) this.#slowOwners.add(owner);
      this.#options.onSlowCondition(error as Error);
      return [];
    }
  }
}

/** A set of names that expire. */
interface Pauses {
  add(name: string): void;
  has(name: string): boolean;
}

function createPauses(pauseMs: number): Pauses {
  const until = new Map<string, number>();
  return {
    add(name) {
      const now = performance.now();
      for (const [other, end] of until) if (end < now) until.delete(other);
      until.set(name, now + pauseMs);
    },
    has: (name) => (until.get(name) ?? 0) > performance.now(),
  };
}
