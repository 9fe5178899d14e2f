import type { Report } from '../report.ts';

/** A table is written mostly if it writes more than a fifth of the blocks that it reads. */
const READS_OF_A_WRITE = 5;

/** Tables with reads and writes since the last reset of the statistics, and their ratio. */
export const trafficProfile: Report = {
  name: 'traffic-profile',
  columns: [
    { name: 'schemaname', heading: 'Schema' },
    { name: 'table_name', heading: 'Table' },
    { name: 'blocks_read', heading: 'Blocks read' },
    { name: 'write_tuples', heading: 'Write tuples' },
    { name: 'blocks_write', heading: 'Blocks write' },
    { name: 'activity_ratio', heading: 'Activity ratio' },
  ],
  query: () => `
with traffic as (
  select s.schemaname, s.relname as table_name,
    coalesce(io.heap_blks_read, 0) + coalesce(io.idx_blks_read, 0) as blocks_read,
    s.n_tup_ins + s.n_tup_upd + s.n_tup_del as write_tuples,
    c.relpages / greatest(c.reltuples, 1)::numeric as blocks_of_a_tuple
  from pg_stat_user_tables s
    join pg_statio_user_tables io on io.relid = s.relid
    join pg_class c on c.oid = s.relid
), measured as (
  select schemaname, table_name, blocks_read, write_tuples,
    round(write_tuples * blocks_of_a_tuple, 1) as blocks_write
  from traffic
  where blocks_read > 0 and write_tuples > 0
)
select schemaname, table_name, blocks_read, write_tuples, blocks_write,
  case
    when blocks_write = 0 then 'Read-Only'
    when blocks_write * ${READS_OF_A_WRITE} > blocks_read
      then round(blocks_write / blocks_read, 1) || ':1 (Write-Heavy)'
    when blocks_write * ${READS_OF_A_WRITE} < blocks_read
      then '1:' || round(blocks_read / blocks_write, 1) || ' (Read-Heavy)'
    else '1:1 (Balanced)'
  end as activity_ratio
from measured
order by blocks_read + blocks_write desc, schemaname, table_name`,
};
