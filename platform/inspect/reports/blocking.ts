import type { Report } from '../report.ts';

/** Statements that wait for a lock, with those that hold it. A prepared transaction has the pid 0 and no statement. */
export const blocking: Report = {
  name: 'blocking',
  columns: [
    { name: 'blocked_pid', heading: 'Blocked pid' },
    { name: 'blocking_statement', heading: 'Blocking statement' },
    { name: 'blocking_duration', heading: 'Blocking duration' },
    { name: 'blocking_pid', heading: 'Blocking pid' },
    { name: 'blocked_statement', heading: 'Blocked statement' },
    { name: 'blocked_duration', heading: 'Blocked duration' },
  ],
  query: () => `
select waiting.pid as blocked_pid,
  holder.query as blocking_statement,
  (now() - holder.query_start)::text as blocking_duration,
  blocker.pid as blocking_pid,
  waiting.query as blocked_statement,
  (now() - waiting.query_start)::text as blocked_duration
from pg_stat_activity waiting
  cross join lateral (select distinct unnest(pg_blocking_pids(waiting.pid))) as blocker (pid)
  left join pg_stat_activity holder on holder.pid = blocker.pid
where waiting.wait_event_type = 'Lock'
order by waiting.query_start, waiting.pid, blocker.pid`,
};
