/**
 * Evaluates the conditions that only PostgreSQL can evaluate, with one statement for all values of a condition. A
 * condition that times out matches nothing for a while, and neither do the other such conditions of the clients that
 * use it.
 */
import { type FeedDatabase, isTransient } from '../database.ts';
import type { RowChange } from '../replication/pgoutput.ts';
import type { CompiledTables } from './compiled-tables.ts';
import type { CompiledCondition } from './condition.ts';
import { imageValue } from './image.ts';
import type { Match } from './subscription.ts';

const SLOW_CONDITION_PAUSE_MS = 60_000;

/** For each change, the keys of the conditions that hold. */
export type MetConditions = ReadonlyMap<RowChange, ReadonlySet<string>>;

/** Options of {@link DatabaseConditions}. */
interface DatabaseConditionsOptions {
  database: FeedDatabase;
  tables: Pick<CompiledTables, 'conditionOf'>;
  /** Called if PostgreSQL could not evaluate a condition in time. */
  onSlowCondition: (error: Error) => void;
}

/** A condition and the changes to evaluate it for. */
interface Evaluation {
  condition: CompiledCondition;
  changes: Set<RowChange>;
  /** Clients with this condition. */
  owners: Set<string>;
}

/** Evaluates conditions and suspends slow ones. */
export class DatabaseConditions {
  readonly #options: DatabaseConditionsOptions;
  readonly #slowConditions = createExpiringSet(SLOW_CONDITION_PAUSE_MS);
  readonly #slowOwners = createExpiringSet(SLOW_CONDITION_PAUSE_MS);

  constructor(options: DatabaseConditionsOptions) {
    this.#options = options;
  }

  /** Evaluates all conditions of candidates that have no test in process. Rejects if the database cannot be reached. */
  async evaluate(candidates: readonly Match[]): Promise<MetConditions> {
    const met = new Map<RowChange, Set<string>>();
    await Promise.all(
      [...this.#evaluationsOf(candidates)].map(async ([key, evaluation]) => {
        const changes = [...evaluation.changes];
        const results = await this.#evaluateOne(key, evaluation, changes);
        for (const [index, change] of changes.entries()) {
          if (!results[index]) continue;
          const keys = met.get(change) ?? new Set();
          met.set(change, keys.add(evaluation.condition.key));
        }
      }),
    );
    return met;
  }

  #evaluationsOf(candidates: readonly Match[]): Map<string, Evaluation> {
    const evaluations = new Map<string, Evaluation>();
    for (const { change, entries } of candidates) {
      for (const { params, subscription } of entries) {
        const { owner } = subscription;
        for (const condition of params.conditions) {
          const compiled = this.#options.tables.conditionOf(change.relation, condition);
          if (compiled === undefined || compiled.test !== undefined) continue;
          if (imageValue(change, condition.column) === undefined) continue;
          if (owner !== undefined && this.#slowOwners.has(owner)) continue;
          const key = `${change.relation.oid} ${compiled.key}`;
          const evaluation = evaluations.get(key) ?? {
            condition: compiled,
            changes: new Set(),
            owners: new Set(),
          };
          evaluation.changes.add(change);
          if (owner !== undefined) evaluation.owners.add(owner);
          evaluations.set(key, evaluation);
        }
      }
    }
    return evaluations;
  }

  /** Resolves with the results in the order of the changes; with an empty list if the condition is suspended. */
  async #evaluateOne(
    key: string,
    { condition, owners }: Evaluation,
    changes: readonly RowChange[],
  ): Promise<readonly boolean[]> {
    if (this.#slowConditions.has(key)) return [];
    const values = changes.map((change) => imageValue(change, condition.column) ?? null);
    try {
      return await condition.evaluate(this.#options.database, values);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.#slowConditions.add(key);
      for (const owner of owners) this.#slowOwners.add(owner);
      this.#options.onSlowCondition(error as Error);
      return [];
    }
  }
}

/** A set of names that expire. */
interface ExpiringSet {
  add(name: string): void;
  has(name: string): boolean;
}

function createExpiringSet(pauseMs: number): ExpiringSet {
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
