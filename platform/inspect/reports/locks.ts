import type { Report } from '../report.ts';

/**
 * Exclusive locks of other sessions. A transaction locks its own id exclusively, so each open transaction has a row
 * without the name of a relation.
 */
export const locks: Report = {
  name: 'locks',
  columns: [
    { name: 'pid', heading: 'Pid' },
    { name: 'relname', heading: 'Relation' },
    { name: 'transactionid', heading: 'Transaction id' },
    { name: 'granted', heading: 'Granted' },
    { name: 'stmt', heading: 'Statement' },
    { name: 'age', heading: 'Age' },
  ],
  query: () => `
select session.pid,
  coalesce(c.relname, 'null') as relname,
  coalesce(held.transactionid::text, 'null') as transactionid,
  held.granted,
  session.query as stmt,
  (now() - session.query_start)::text as age
from pg_locks held
  join pg_stat_activity session on session.pid = held.pid
  left join pg_class c on c.oid = held.relation
    and held.database in (0, (select oid from pg_database where datname = current_database()))
where held.mode in ('ExclusiveLock', 'AccessExclusiveLock')
  and session.pid <> pg_backend_pid()
  and session.query <> '<insufficient privilege>'
order by session.query_start, session.pid, relname`,
};
