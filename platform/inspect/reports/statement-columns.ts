/** Columns of the reports about statements. */
import type { StatementView } from '../statement-view.ts';

/** Number of statements in a report. */
export const MAX_STATEMENTS = 10;

/** Returns the columns but the text of the statement. */
export function statementColumns({ blockPrefix }: StatementView): string {
  return `
  (s.total_exec_time * interval '1 millisecond')::text as total_exec_time,
  to_char(100 * s.total_exec_time / nullif(sum(s.total_exec_time) over (), 0), 'FM990D0') || '%' as prop_exec_time,
  to_char(s.calls, 'FM999G999G999G999G990') as ncalls,
  ((s.${blockPrefix}_read_time + s.${blockPrefix}_write_time) * interval '1 millisecond')::text as sync_io_time`;
}

/** Returns the statistics of the connected database, under the name `s`. */
export function statementsFrom({ schema }: StatementView): string {
  return `from ${schema}.pg_stat_statements s
where s.dbid = (select oid from pg_database where datname = current_database())`;
}
