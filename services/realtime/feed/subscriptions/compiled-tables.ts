/** Caches the columns of tables and the compiled conditions of filters on them, by the relations of the log. */
import { type FeedDatabase, isTransient } from '../database.ts';
import type { Relation } from '../replication/pgoutput.ts';
import { type CatalogColumn, loadTables } from './catalog.ts';
import { type CompiledCondition, ConditionError, compileCondition } from './condition.ts';
import type { Condition } from './parse.ts';
import { sameColumns } from './same-columns.ts';
import type { Match, SubscriptionRegistry } from './subscription.ts';

/** Unused conditions of a table are removed only above this number of conditions. */
const MIN_PRUNE_ABOVE = 1000;
const TYPES = ['INSERT', 'UPDATE', 'DELETE'] as const;
const NO_COLUMNS: ReadonlyMap<string, CatalogColumn> = new Map();

interface CompiledTable {
  columns: ReadonlyMap<string, CatalogColumn>;
  /** Conditions by their texts; undefined for a condition that is invalid for the table. */
  conditions: Map<string, CompiledCondition | undefined>;
  compiling: Map<string, Promise<void>>;
  /** Above this number of conditions, those that no subscription uses any more are removed. */
  pruneAbove: number;
}

/** Compiles conditions for a table at its first change, and again when the definition of the table has changed. */
export class CompiledTables {
  readonly #database: FeedDatabase;
  readonly #registry: Pick<SubscriptionRegistry, 'entriesOf'>;
  /** The decoder creates a new relation when the table has changed, so entries never become stale. */
  readonly #tables = new WeakMap<Relation, CompiledTable>();

  constructor(database: FeedDatabase, registry: Pick<SubscriptionRegistry, 'entriesOf'>) {
    this.#database = database;
    this.#registry = registry;
  }

  /** Loads the tables and compiles the conditions of candidates. Rejects if the database cannot be reached. */
  async prepare(candidates: readonly Match[]): Promise<void> {
    const relations = new Set(
      candidates.flatMap(({ change, entries }) => (entries.length > 0 ? change.relation : [])),
    );
    await Promise.all([...relations].map((relation) => this.#prepareTable(relation)));
    await Promise.all(
      candidates.flatMap(({ change, entries }) => {
        const table = this.#tables.get(change.relation);
        const conditions = entries.flatMap(({ params }) => params.conditions);
        return table ? conditions.flatMap((condition) => this.#prepareCondition(table, condition) ?? []) : [];
      }),
    );
  }

  /** Returns the columns of a prepared table by name, only those that are the same now as in its changes. */
  columnsOf(relation: Relation): ReadonlyMap<string, CatalogColumn> {
    return this.#tables.get(relation)?.columns ?? NO_COLUMNS;
  }

  /** Returns a prepared condition; undefined if it is invalid for the table. */
  conditionOf(relation: Relation, condition: Condition): CompiledCondition | undefined {
    return this.#tables.get(relation)?.conditions.get(textOf(condition));
  }

  async #prepareTable(relation: Relation): Promise<void> {
    const known = this.#tables.get(relation);
    if (known) {
      this.#prune(relation, known);
      return;
    }
    const [found] = await loadTables(this.#database, [relation.oid]);
    const columns = sameColumns(relation, found?.columns ?? []);
    this.#tables.set(relation, {
      columns: new Map(columns.map((column) => [column.name, column])),
      conditions: new Map(),
      compiling: new Map(),
      pruneAbove: MIN_PRUNE_ABOVE,
    });
  }

  /** Removes unused conditions, because short-lived channels may each have a different filter. */
  #prune(relation: Relation, table: CompiledTable): void {
    if (table.conditions.size <= table.pruneAbove) return;
    const entries = TYPES.flatMap((type) => this.#registry.entriesOf(relation, type));
    const used = new Set(entries.flatMap(({ params }) => params.conditions.map(textOf)));
    for (const text of table.conditions.keys()) if (!used.has(text)) table.conditions.delete(text);
    table.pruneAbove = Math.max(MIN_PRUNE_ABOVE, table.conditions.size * 2);
  }

  /** Returns undefined if the condition is compiled already. */
  #prepareCondition(table: CompiledTable, condition: Condition): Promise<void> | undefined {
    const text = textOf(condition);
    if (table.conditions.has(text)) return undefined;
    const compiling = table.compiling.get(text) ?? this.#compile(table, condition, text);
    table.compiling.set(text, compiling);
    return compiling;
  }

  async #compile(table: CompiledTable, condition: Condition, text: string): Promise<void> {
    const column = table.columns.get(condition.column);
    try {
      table.conditions.set(text, column && (await compileCondition(this.#database, column, condition)));
    } catch (error) {
      if (!(error instanceof ConditionError) && isTransient(error)) throw error;
      table.conditions.set(text, undefined);
    } finally {
      table.compiling.delete(text);
    }
  }
}

/** Cached texts, because they are needed for each change. */
const texts = new WeakMap<Condition, string>();

function textOf(condition: Condition): string {
  const { column, operator, value, isNegated } = condition;
  const text = texts.get(condition) ?? JSON.stringify([column, operator, value, isNegated]);
  texts.set(condition, text);
  return text;
}
