import type { Report } from '../report.ts';

/** Statements that run for more than five minutes, and open transactions whose last statement is as old. */
export const longRunningQueries: Report = {
  name: 'long-running-queries',
  columns: [
    { name: 'pid', heading: 'Pid' },
    { name: 'duration', heading: 'Duration' },
    { name: 'query', heading: 'Query' },
  ],
  query: () => `
select pid, (now() - query_start)::text as duration, query
from pg_stat_activity
where state <> 'idle'
  and query <> ''
  -- A replication connection runs one statement for its whole life, and a parallel worker that of its leader.
  and backend_type not in ('walsender', 'parallel worker')
  and now() - query_start > interval '5 minutes'
order by query_start, pid`,
};
