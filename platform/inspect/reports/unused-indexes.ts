import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';

/** Below this number of scans, an index counts as unused. */
const FEW_SCANS = 50;
/** Indexes of smaller tables save nothing, and cost nothing. */
const MIN_PAGES = 5;

/** Indexes of tables with several pages that are hardly used, and do not keep values unique. */
export const unusedIndexes: Report = {
  name: 'unused-indexes',
  columns: [
    { name: 'name', heading: 'Table' },
    { name: 'index', heading: 'Index' },
    { name: 'index_size', heading: 'Index size' },
    { name: 'index_scans', heading: 'Index scans' },
  ],
  query: () => `
select format('%I.%I', i.schemaname, i.relname) as name,
  i.indexrelname as index,
  pg_size_pretty(pg_relation_size(i.indexrelid)) as index_size,
  i.idx_scan as index_scans
from pg_stat_user_indexes i join pg_index x on x.indexrelid = i.indexrelid
where not x.indisunique
  and i.idx_scan < ${FEW_SCANS}
  and pg_relation_size(i.relid) > ${MIN_PAGES} * current_setting('block_size')::bigint
  and ${isOwnSchema('i.schemaname')}
order by pg_relation_size(i.indexrelid) / nullif(i.idx_scan, 0) desc nulls first,
  pg_relation_size(i.indexrelid) desc, name, index`,
};
