/**
 * Which entries a change matches: event, table and all conditions of the filter. Conditions are compiled for a table when
 * its first change comes, and anew when its definition has changed.
 */
import type { FeedDatabase } from '../database.ts';
import { isPassing } from '../database.ts';
import { type Relation, type RowChange, TOO_LARGE } from '../replication/pgoutput.ts';
import { type CatalogColumn, loadTables } from './catalog.ts';
import { type CompiledCondition, ConditionError, compileCondition } from './condition.ts';
import type { Condition } from './parse.ts';
import { sameColumns } from './same-columns.ts';
import type { SubscriptionEntry, SubscriptionRegistry } from './subscription.ts';

/** A change and those who have asked for it. Whether they may see it is not decided here. */
interface Match {
  change: RowChange;
  entries: readonly SubscriptionEntry[];
}

/** Finds matches of changes, in their order; changes that nobody has asked for are left out. */
type FindMatches = (changes: readonly RowChange[]) => Promise<Match[]>;

/** Options of {@link createMatcher}. */
interface MatcherOptions {
  database: FeedDatabase;
  registry: SubscriptionRegistry;
  /** A condition that PostgreSQL could not answer in time has been given up for a while. */
  onSlowCondition: (error: Error) => void;
}

/** After a condition took too long, it matches nothing for so long. */
const SLOW_CONDITION_PAUSE_MS = 60_000;
const KEPT_CONDITIONS = 1000;
const TYPES = ['INSERT', 'UPDATE', 'DELETE'] as const;

interface CompiledTable {
  columns: ReadonlyMap<string, CatalogColumn>;
  /** By the text of the condition; undefined: does not fit the table. */
  conditions: Map<string, CompiledCondition | undefined>;
  compiling: Map<string, Promise<void>>;
  /** With more conditions than this, those that nobody has any more are forgotten. */
  pruneAbove: number;
}

/** Matches changes. */
export interface Matcher {
  find: FindMatches;
  /** Columns of a table that a change has been matched with, by name, as far as they are as they were. */
  columnsOf(relation: Relation): ReadonlyMap<string, CatalogColumn>;
}

/** Makes one that knows no tables yet. */
export function createMatcher({ database, registry, onSlowCondition }: MatcherOptions): Matcher {
  // Whoever reads the log makes a new relation whenever the table has changed.
  const tables = new WeakMap<Relation, CompiledTable>();
  /** Until when conditions, and conditions of clients, are not evaluated by PostgreSQL. */
  const slowUntil = createPauses(SLOW_CONDITION_PAUSE_MS);
  const slowOwners = createPauses(SLOW_CONDITION_PAUSE_MS);

  /** Channels come and go, each with a filter of its own. */
  function prune(relation: Relation, table: CompiledTable): void {
    if (table.conditions.size <= table.pruneAbove) return;
    const entries = TYPES.flatMap((type) => registry.entriesOf(relation, type));
    const used = new Set(entries.flatMap(({ params }) => params.conditions.map(textOf)));
    for (const text of table.conditions.keys()) if (!used.has(text)) table.conditions.delete(text);
    table.pruneAbove = Math.max(KEPT_CONDITIONS, table.conditions.size * 2);
  }

  async function prepareTable(relation: Relation): Promise<void> {
    const known = tables.get(relation);
    if (known) return prune(relation, known);
    const [found] = await loadTables(database, [relation.oid]);
    const columns = sameColumns(relation, found?.columns ?? []);
    const table: CompiledTable = {
      columns: new Map(columns.map((column) => [column.name, column])),
      conditions: new Map(),
      compiling: new Map(),
      pruneAbove: KEPT_CONDITIONS,
    };
    tables.set(relation, table);
  }

  /** Undefined where there is nothing to wait for. */
  function prepareCondition(table: CompiledTable, condition: Condition): Promise<void> | undefined {
    const text = textOf(condition);
    if (table.conditions.has(text)) return undefined;
    // The next one who asks for the same waits with us.
    const underWay = table.compiling.get(text) ?? compile(table, condition, text);
    table.compiling.set(text, underWay);
    return underWay;
  }

  async function compile(table: CompiledTable, condition: Condition, text: string): Promise<void> {
    const column = table.columns.get(condition.column);
    try {
      table.conditions.set(text, column && (await compileCondition(database, column, condition)));
    } catch (error) {
      if (!(error instanceof ConditionError) && isPassing(error)) throw error;
      table.conditions.set(text, undefined);
    } finally {
      table.compiling.delete(text);
    }
  }

  /** Answers of PostgreSQL for all values of one condition. */
  async function evaluate(
    condition: CompiledCondition,
    key: string,
    values: (string | null)[],
    owners: ReadonlySet<string>,
  ): Promise<boolean[]> {
    if (slowUntil.has(key)) return [];
    try {
      return await condition.evaluate(database, values);
    } catch (error) {
      if (isPassing(error)) throw error;
      slowUntil.add(key);
      for (const owner of owners) slowOwners.add(owner);
      onSlowCondition(error as Error);
      return [];
    }
  }

  return {
    columnsOf: (relation) => tables.get(relation)?.columns ?? new Map(),
    async find(changes) {
      const found = changes.map((change) => ({
        change,
        entries: registry.entriesOf(change.relation, change.type),
      }));
      const relations = new Set(
        found.flatMap(({ change, entries }) => (entries.length > 0 ? change.relation : [])),
      );
      await Promise.all([...relations].map(prepareTable));
      await Promise.all(
        found.flatMap(({ change, entries }) => {
          const table = tables.get(change.relation);
          const conditions = entries.flatMap(({ params }) => params.conditions);
          return table ? conditions.flatMap((condition) => prepareCondition(table, condition) ?? []) : [];
        }),
      );
      const answers = await askAll(found, tables, slowOwners, evaluate);
      return found.flatMap(({ change, entries }) => {
        const matching = entries.filter(({ params }) =>
          params.conditions.every((condition) => {
            const compiled = tables.get(change.relation)?.conditions.get(textOf(condition));
            const value = imageValue(change, condition.column);
            if (compiled === undefined || value === undefined) return false;
            return compiled.test?.(value) ?? answers.get(change)?.has(compiled.key) ?? false;
          }),
        );
        return matching.length === 0 ? [] : { change, entries: matching };
      });
    },
  };
}

type Evaluate = (
  condition: CompiledCondition,
  key: string,
  values: (string | null)[],
  owners: ReadonlySet<string>,
) => Promise<boolean[]>;

/** Names that are left alone for a while. */
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

interface Asked {
  condition: CompiledCondition;
  changes: Set<RowChange>;
  /** Clients that ask it. */
  owners: Set<string>;
}

/** For each change, the keys of those conditions that hold, of all that PostgreSQL has to be asked about. */
async function askAll(
  found: readonly Match[],
  tables: WeakMap<Relation, CompiledTable>,
  slowOwners: Pauses,
  evaluate: Evaluate,
): Promise<Map<RowChange, Set<string>>> {
  const questions = new Map<string, Asked>();
  for (const { change, entries } of found) {
    for (const { params, subscription } of entries) {
      const { owner } = subscription;
      for (const condition of params.conditions) {
        const compiled = tables.get(change.relation)?.conditions.get(textOf(condition));
        if (compiled === undefined || compiled.test !== undefined) continue;
        if (imageValue(change, condition.column) === undefined) continue;
        if (owner !== undefined && slowOwners.has(owner)) continue;
        const key = `${change.relation.oid} ${compiled.key}`;
        const question = questions.get(key) ?? { condition: compiled, changes: new Set(), owners: new Set() };
        question.changes.add(change);
        if (owner !== undefined) question.owners.add(owner);
        questions.set(key, question);
      }
    }
  }
  const answers = new Map<RowChange, Set<string>>();
  await Promise.all(
    [...questions].map(async ([key, { condition, changes, owners }]) => {
      const asked = [...changes];
      const values = asked.map((change) => imageValue(change, condition.column) ?? null);
      const holds = await evaluate(condition, key, values, owners);
      for (const [index, change] of asked.entries()) {
        if (!holds[index]) continue;
        const keys = answers.get(change) ?? new Set();
        answers.set(change, keys.add(condition.key));
      }
    }),
  );
  return answers;
}

/** Asked for with every change. */
const texts = new WeakMap<Condition, string>();

function textOf(condition: Condition): string {
  const { column, operator, value, isNegated } = condition;
  const text = texts.get(condition) ?? JSON.stringify([column, operator, value, isNegated]);
  texts.set(condition, text);
  return text;
}

/** Of the new row, or of what is known of a deleted one; undefined where the image does not have it. */
function imageValue(change: RowChange, column: string): string | null | undefined {
  const { type, relation, record, oldRecord, isOldWhole } = change;
  const index = relation.columns.findIndex(({ name }) => name === column);
  if (type === 'DELETE' && !isOldWhole && !relation.columns[index]?.isKey) return undefined;
  const value = (type === 'DELETE' ? oldRecord : record)?.[index];
  return value === TOO_LARGE ? undefined : value;
}
