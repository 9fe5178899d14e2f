import { type Database, isDatabaseUnavailable } from '@greenroom/postgres';

/** Returns the settings of the data API in the database, by the names of variables: they override all other sources. */
export async function readDatabaseSettings(database: Database): Promise<Record<string, string>> {
  const rows = await database
    .query<{ name: string; value: string }>({
      name: 'operator_database_settings',
      text: `select upper(replace(split_part(entry, '=', 1), '.', '_')) as name,
          substr(entry, strpos(entry, '=') + 1) as value
        from pg_db_role_setting d cross join unnest(d.setconfig) as c (entry)
        where d.setrole = (select oid from pg_roles where rolname = 'authenticator')
          and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
          and entry ilike 'pgrst.%'
        order by d.setdatabase`,
    })
    .catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return [];
      throw error;
    });
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
