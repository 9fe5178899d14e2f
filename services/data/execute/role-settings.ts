/**
 * Settings that belong to roles (`ALTER ROLE … SET`, also `IN DATABASE`). PostgreSQL applies them to a role that logs in;
 * the roles of requests never do, so they are set for each request.
 */
import type { Database } from '@greenroom/postgres';
import type { Isolation, Setting } from './settings.ts';

/** The settings of one role. */
interface SettingsOfRole {
  settings: readonly Setting[];
  /** Value of `default_transaction_isolation`, which BEGIN must set. */
  isolation: Isolation | undefined;
}

/** A snapshot of the settings of all roles. */
export interface RoleSettings {
  of(role: string): SettingsOfRole;
}

const NONE: SettingsOfRole = { settings: [], isolation: undefined };
const ISOLATION = 'default_transaction_isolation';
/** Settings that the request determines. */
const SET_BY_REQUEST = ['role', 'session_authorization'];
const ISOLATIONS: readonly string[] = ['read committed', 'repeatable read', 'serializable'];

interface Row {
  role: string;
  name: string;
  value: string;
}

/**
 * Loads the settings of the roles that the login role of `database` may switch to, except settings that the login role may
 * not set. A setting of a role for this database overrides that for all databases, as when the role logs in.
 */
export async function loadRoleSettings(database: Pick<Database, 'query'>): Promise<RoleSettings> {
  const byRole = await readRoles(database);
  return { of: (role) => byRole.get(role) ?? NONE };
}

async function readRoles(database: Pick<Database, 'query'>): Promise<Map<string, SettingsOfRole>> {
  const rows = await database.query<Row>({
    text: `select distinct on (r.rolname, s.name) r.rolname as role, s.name, s.value
      from pg_db_role_setting d
      join pg_roles r on r.oid = d.setrole
      cross join unnest(d.setconfig) as c (entry)
      cross join lateral (
        select split_part(entry, '=', 1) as name, substr(entry, strpos(entry, '=') + 1) as value
      ) s
      left join pg_settings p on lower(p.name) = lower(s.name)
      where d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and pg_has_role(session_user, r.oid, 'member')
        and s.name <> all ($1)
        and case
          when p.name is null then s.name like '%.%'
          else p.context = 'user' or has_parameter_privilege(session_user, p.name, 'set')
        end
      order by r.rolname, s.name, d.setdatabase desc`,
    values: [SET_BY_REQUEST],
  });
  const byRole = new Map<string, Row[]>();
  for (const row of rows) byRole.set(row.role, [...(byRole.get(row.role) ?? []), row]);
  return new Map([...byRole].map(([role, ofRole]) => [role, settingsOf(ofRole)]));
}

function settingsOf(rows: readonly Row[]): SettingsOfRole {
  const isolation = rows.find(({ name }) => name === ISOLATION)?.value.toLowerCase();
  return {
    settings: rows.filter(({ name }) => name !== ISOLATION).map(({ name, value }): Setting => [name, value]),
    isolation:
      isolation !== undefined && ISOLATIONS.includes(isolation) ? (isolation as Isolation) : undefined,
  };
}
