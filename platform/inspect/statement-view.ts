/** The statistics of statements, which the extension pg_stat_statements collects if the server loads it. */
import { InspectError } from './inspect-error.ts';

/** Where a database has the statistics of statements. */
export interface StatementView {
  /** Quoted name of the schema of the extension. */
  schema: string;
  /** Prefix of the columns with times of reads and writes: they have another name since PostgreSQL 17. */
  blockPrefix: string;
}

/**
 * Finds the view. The parameters of the extension exist only if the server has loaded it at its start; before, the view
 * exists, and reading it fails.
 */
export const STATEMENT_VIEW_QUERY = `
select quote_ident(nspname) as schema,
  case when exists (
    select from pg_attribute
    where attrelid = view.oid and attname = 'shared_blk_read_time'
  ) then 'shared_blk' else 'blk' end as prefix
from pg_extension
  join pg_namespace on pg_namespace.oid = extnamespace
  join pg_class as view on view.relnamespace = extnamespace and view.relname = 'pg_stat_statements'
where extname = 'pg_stat_statements'
  and exists (select from pg_settings where name = 'pg_stat_statements.max')`;

const NOT_LOADED =
  "the database does not load pg_stat_statements. Add shared_preload_libraries = 'pg_stat_statements' to postgresql.conf " +
  '(of an instance: in its data folder), and restart the server. If the extension is missing, run: create extension ' +
  'pg_stat_statements with schema extensions';

/** Returns the view. Throws `InspectError` with the steps that enable it if the database has none. */
export function requireStatements(statements: StatementView | undefined): StatementView {
  if (statements === undefined) throw new InspectError(NOT_LOADED);
  return statements;
}
