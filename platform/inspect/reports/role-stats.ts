import type { Report } from '../report.ts';

/** Roles with their connections and settings. */
export const roleStats: Report = {
  name: 'role-stats',
  columns: [
    { name: 'role_name', heading: 'Role name' },
    { name: 'active_connections', heading: 'Active connections' },
    { name: 'connection_limit', heading: 'Connection limit' },
    { name: 'custom_config', heading: 'Custom config' },
  ],
  query: () => `
select rolname as role_name,
  (select count(*) from pg_stat_activity where usename = rolname) as active_connections,
  case rolconnlimit when -1 then current_setting('max_connections')::int else rolconnlimit end as connection_limit,
  coalesce(array_to_string(rolconfig, ','), '') as custom_config
from pg_roles
order by rolname desc`,
};
