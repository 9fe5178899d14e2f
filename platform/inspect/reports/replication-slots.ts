import type { Report } from '../report.ts';

/** Replication slots, and the size of the log that they keep. */
export const replicationSlots: Report = {
  name: 'replication-slots',
  columns: [
    { name: 'slot_name', heading: 'Name' },
    { name: 'active', heading: 'Active' },
    { name: 'state', heading: 'State' },
    { name: 'replication_client_address', heading: 'Replication client address' },
    { name: 'replication_lag_gb', heading: 'Replication lag GB' },
  ],
  query: () => `
select slot.slot_name,
  slot.active,
  coalesce(sender.state, 'N/A') as state,
  coalesce(sender.client_addr::text, 'N/A') as replication_client_address,
  round(greatest(0, pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
    slot.restart_lsn
  )) / (1024 ^ 3)::numeric, 2) as replication_lag_gb
from pg_replication_slots slot
  left join pg_stat_replication sender on sender.pid = slot.active_pid
order by slot.slot_name`,
};
