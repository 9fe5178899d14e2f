import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';

const MINUTE = 'YYYY-MM-DD HH24:MI';
const NUMBER = 'FM999G999G999G999G990';

/** The parameters of autovacuum, which a table may override. */
const PARAMETERS = [
  'autovacuum_vacuum_threshold',
  'autovacuum_vacuum_scale_factor',
  'autovacuum_analyze_threshold',
  'autovacuum_analyze_scale_factor',
];

/** Tables with the last runs of vacuum and analyze, and whether the next ones are due. */
export const vacuumStats: Report = {
  name: 'vacuum-stats',
  columns: [
    { name: 'name', heading: 'Table' },
    { name: 'last_vacuum', heading: 'Last vacuum' },
    { name: 'last_autovacuum', heading: 'Last autovacuum' },
    { name: 'last_analyze', heading: 'Last analyze' },
    { name: 'last_autoanalyze', heading: 'Last autoanalyze' },
    { name: 'rowcount', heading: 'Row count' },
    { name: 'dead_rowcount', heading: 'Dead row count' },
    { name: 'expect_autovacuum', heading: 'Expect autovacuum?' },
    { name: 'expect_autoanalyze', heading: 'Expect autoanalyze?' },
  ],
  query: () => `
with maintained as (
  select s.schemaname, s.relname, s.last_vacuum, s.last_autovacuum, s.last_analyze, s.last_autoanalyze,
    s.n_dead_tup, s.n_mod_since_analyze, c.reltuples,
    autovacuum_vacuum_threshold + autovacuum_vacuum_scale_factor * greatest(c.reltuples, 0)::numeric
      as vacuum_threshold,
    autovacuum_analyze_threshold + autovacuum_analyze_scale_factor * greatest(c.reltuples, 0)::numeric
      as analyze_threshold
  from pg_stat_user_tables s
    join pg_class c on c.oid = s.relid
    cross join lateral (
      select ${PARAMETERS.map(parameterOf).join(', ')}
      from pg_options_to_table(c.reloptions)
    ) as parameters
  where ${isOwnSchema('s.schemaname')}
)
select format('%I.%I', schemaname, relname) as name,
  ${['last_vacuum', 'last_autovacuum', 'last_analyze', 'last_autoanalyze'].map(minuteOf).join(', ')},
  to_char(reltuples::numeric, '${NUMBER}') as rowcount,
  to_char(n_dead_tup, '${NUMBER}') as dead_rowcount,
  to_char(vacuum_threshold, '${NUMBER}') as autovacuum_threshold,
  case when n_dead_tup > vacuum_threshold then 'yes' else 'no' end as expect_autovacuum,
  to_char(analyze_threshold, '${NUMBER}') as autoanalyze_threshold,
  case when n_mod_since_analyze > analyze_threshold then 'yes' else 'no' end as expect_autoanalyze
from maintained
order by reltuples < 0, name`,
};

function parameterOf(name: string): string {
  return `coalesce(max(option_value) filter (where option_name = '${name}'), current_setting('${name}'))::numeric as ${name}`;
}

function minuteOf(column: string): string {
  return `coalesce(to_char(${column}, '${MINUTE}'), '') as ${column}`;
}
