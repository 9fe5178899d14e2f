/** The rules of projects that configure none. They check the same conditions as those of the Supabase CLI. */
import type { Rule } from './rule.ts';

/** Declares a rule; its matches are joined by commas. */
function rule(name: string, query: string, fail: string): Rule {
  return { name, query, pass: '✔', fail };
}

const DUPLICATES =
  'select `table`, columns from `index_stats.csv` group by `table`, columns having count(*) > 1';

/** In the order of the summary. */
export const DEFAULT_RULES: readonly Rule[] = [
  rule(
    'No old locks',
    "select listagg(stmt, ',') from `locks.csv` where age > '00:02:00'",
    'A lock is older than 2 minutes',
  ),
  rule(
    'No ungranted locks',
    "select listagg(stmt, ',') from `locks.csv` where granted = 'f'",
    'A session waits for a lock',
  ),
  rule(
    'No unused indexes',
    "select listagg(`index`, ',') from `unused_indexes.csv`",
    'An index is hardly used',
  ),
  rule(
    'No duplicate indexes',
    `select listagg(name, ',') from \`index_stats.csv\` where (\`table\`, columns) in (${DUPLICATES})`,
    'Two indexes of a table have the same columns',
  ),
  rule(
    'Cache hit rates of 94% or more',
    "select 'index: ' || index_hit_rate || ', table: ' || table_hit_rate from `db_stats.csv` " +
      'where index_hit_rate < 0.94 or table_hit_rate < 0.94',
    'Tables or indexes are often read from disk',
  ),
  rule(
    'Few sequential scans of large tables',
    "select listagg(name, ',') from `table_stats.csv` " +
      'where estimated_row_count > 1000 and seq_scans > estimated_row_count * 0.1',
    'A table has more sequential scans than a tenth of its rows',
  ),
  rule(
    'No large tables that wait for autovacuum',
    "select listagg(name, ',') from `vacuum_stats.csv` where expect_autovacuum = 'yes' and rowcount > 1000",
    'A table waits for autovacuum',
  ),
  rule(
    'Large tables were vacuumed',
    "select listagg(name, ',') from `vacuum_stats.csv` " +
      "where rowcount > 1000 and last_autovacuum = '' and last_vacuum = ''",
    'A large table was never vacuumed',
  ),
  rule(
    'At most 20% dead rows',
    "select listagg(name, ',') from `vacuum_stats.csv` where rowcount > 1000 and dead_rowcount > 0.2 * rowcount",
    'A table has many dead rows',
  ),
  rule(
    'No inactive replication slots',
    "select listagg(slot_name, ',') from `replication_slots.csv` where active = 'f'",
    'A replication slot keeps the log for no client',
  ),
  rule(
    'No blocked statements',
    "select listagg(blocked_pid, ',') from `blocking.csv`",
    'A statement waits for another session',
  ),
  rule(
    'No statements of more than 5 minutes',
    "select listagg(pid, ',') from `long_running_queries.csv`",
    'A statement runs for more than 5 minutes',
  ),
  rule(
    'No bloat of more than factor 4',
    "select listagg(name, ',') from `bloat.csv` where bloat > 4",
    'A table or index is four times as large as needed',
  ),
];
