/** The stage “match” of the feed: finds the entries whose event, table and filter conditions a change matches. */
import type { FeedDatabase } from '../database.ts';
import type { Relation, RowChange } from '../replication/pgoutput.ts';
import type { CatalogColumn } from './catalog.ts';
import { CompiledTables } from './compiled-tables.ts';
import { DatabaseConditions, type MetConditions } from './database-conditions.ts';
import { imageValue } from './image.ts';
import type { Condition } from './parse.ts';
import type { Match, SubscriptionRegistry } from './subscription.ts';

/** Options of {@link createMatcher}. */
interface MatcherOptions {
  database: FeedDatabase;
  registry: SubscriptionRegistry;
  /** Called if PostgreSQL could not evaluate a condition in time. The condition matches nothing for a while. */
  onSlowCondition: (error: Error) => void;
}

/** Matches changes with subscriptions. A later stage checks whether the subscribers may see them. */
export interface Matcher {
  /** Resolves with the changes that have matching entries, in order. Rejects if the database cannot be reached. */
  find(changes: readonly RowChange[]): Promise<Match[]>;
  /** Returns the columns of a matched change by name, only those that are the same now as in the change. */
  columnsOf(relation: Relation): ReadonlyMap<string, CatalogColumn>;
}

/** Creates a matcher that has not loaded any table yet. */
export function createMatcher({ database, registry, onSlowCondition }: MatcherOptions): Matcher {
  const tables = new CompiledTables(database, registry);
  const conditions = new DatabaseConditions({ database, tables, onSlowCondition });

  function isMet(change: RowChange, condition: Condition, met: MetConditions): boolean {
    const compiled = tables.conditionOf(change.relation, condition);
    const value = imageValue(change, condition.column);
    if (compiled === undefined || value === undefined) return false;
    return compiled.test?.(value) ?? met.get(change)?.has(compiled.key) ?? false;
  }

  return {
    columnsOf: (relation) => tables.columnsOf(relation),
    async find(changes) {
      const candidates = changes.map((change) => ({
        change,
        entries: registry.entriesOf(change.relation, change.type),
      }));
      await tables.prepare(candidates);
      const met = await conditions.evaluate(candidates);
      return candidates.flatMap(({ change, entries }) => {
        const matching = entries.filter(({ params }) =>
          params.conditions.every((condition) => isMet(change, condition, met)),
        );
        return matching.length === 0 ? [] : { change, entries: matching };
      });
    },
  };
}
