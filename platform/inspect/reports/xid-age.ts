import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';

/** PostgreSQL refuses writes a little after this age of the oldest transaction id. */
const MAX_AGE = 2_000_000_000;

/** Tables with the age of their oldest transaction id, and the transactions until PostgreSQL refuses writes. */
export const xidAge: Report = {
  name: 'xid-age',
  columns: [
    { name: 'name', heading: 'Table' },
    { name: 'xid_age', heading: 'XID age' },
    { name: 'transactions_remaining', heading: 'Transactions remaining' },
  ],
  query: () => `
with aged as (
  select format('%I.%I', n.nspname, c.relname) as name,
    greatest(age(c.relfrozenxid), age(toast.relfrozenxid)) as xid_age
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_class toast on toast.oid = c.reltoastrelid
  where c.relkind in ('r', 'm') and ${isOwnSchema('n.nspname')}
)
select name, xid_age, ${MAX_AGE} - xid_age as transactions_remaining
from aged
order by xid_age desc, name`,
};
