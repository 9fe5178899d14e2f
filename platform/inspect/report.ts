/** A report: a query about the state of a database. Names of reports and columns are those of the Supabase CLI. */
import type { StatementView } from './statement-view.ts';

/** A column in the order in which people read it. */
interface ReportColumn {
  /** Name in the result of the query. */
  name: string;
  /** Heading of a table. */
  heading: string;
}

/** Properties of the database that decide which query can be run. */
export interface DatabaseFacts {
  /** Undefined if the database does not count statements. */
  statements: StatementView | undefined;
}

/** A report. */
export interface Report {
  /** Lower case with hyphens, e.g. `index-stats`. */
  name: string;
  /** The columns of a table. The query may return further ones, in another order. */
  columns: readonly ReportColumn[];
  /** Returns the query. Throws `InspectError` with the reason if the database has no such statistics. */
  query(facts: DatabaseFacts): string;
}
