/**
 * Reads settings from the database: `ALTER ROLE <login role> [IN DATABASE d] SET pgrst.db_schemas = '…'`, and settings
 * from the pre-config function. They correspond to environment variables and override them.
 */
import { ConfigError, type ConfigProblem, type ConfigSource } from '@greenroom/config';
import { type Database, quoteIdentifier, type Statement, type Transaction } from '@greenroom/postgres';
import { DATABASE_SETTINGS } from './database-setting-names.ts';
import { type DataConfig, loadDataConfig } from './settings.ts';

const PREFIX = 'pgrst.';

const NAMES: readonly string[] = DATABASE_SETTINGS.map((name) => PREFIX + name);

/**
 * Values by the names of environment variables. Empty values mean the same as in the environment. Some values are
 * secrets.
 */
type DatabaseSettings = Readonly<Record<string, string>>;

interface Row {
  name: string;
  value: string;
}

/** The pre-config function must not change the database. */
const READ_ONLY: Statement = { text: 'set transaction read only' };

/**
 * Reads the catalog instead of the settings of the session, which date from its login. A setting of the role for this
 * database overrides that for all databases.
 */
const ROLE_SETTINGS: Statement = {
  text: `select distinct on (s.name) s.name, s.value
    from pg_db_role_setting d
    cross join unnest(d.setconfig) as c (entry)
    cross join lateral (
      select lower(split_part(entry, '=', 1)) as name, substr(entry, strpos(entry, '=') + 1) as value
    ) s
    where d.setrole = (select oid from pg_roles where rolname = session_user)
      and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and s.name = any ($1)
    order by s.name, d.setdatabase desc`,
  values: [NAMES],
};

/** Clears values from the login or an earlier call on the connection, so that only those of the function remain. */
const CLEAR: Statement = {
  text: "select set_config(name, '', true) from unnest($1::text[]) as name",
  values: [NAMES],
};

const CURRENT_SETTINGS: Statement = {
  text: `select name, current_setting(name, true) as value
    from unnest($1::text[]) as name where current_setting(name, true) <> ''`,
  values: [NAMES],
};

/**
 * Reads the settings as the login role of `database`, in one read-only transaction. Settings of the role override those
 * of the function.
 * @param preConfig the function from `PGRST_DB_PRE_CONFIG`; a setting `pgrst.db_pre_config` of the role overrides it
 * @throws the errors of the database, for example if the function does not exist, may not be called, or raises an error
 */
export async function readDatabaseSettings(
  database: Pick<Database, 'transaction'>,
  preConfig: DataConfig['databaseConfig']['preConfig'],
): Promise<DatabaseSettings> {
  return database.transaction(async (tx) => {
    const [, roleRows = []] = await tx.batch([READ_ONLY, ROLE_SETTINGS]);
    const ofRole = toVariables(roleRows as unknown as Row[]);
    const preConfigFunction = ofRole.PGRST_DB_PRE_CONFIG
      ? namedFunction(ofRole.PGRST_DB_PRE_CONFIG)
      : preConfig;
    if (preConfigFunction === undefined) return ofRole;
    return { ...(await runPreConfig(tx, preConfigFunction)), ...ofRole };
  });
}

/** Parses the name of a function. Returns undefined for an invalid name, which {@link withDatabaseSettings} reports. */
function namedFunction(name: string) {
  const loaded = withDatabaseSettings({}, { PGRST_DB_PRE_CONFIG: name });
  return loaded.kind === 'loaded' ? loaded.config.databaseConfig.preConfig : undefined;
}

async function runPreConfig(
  tx: Transaction,
  { schema, name }: NonNullable<DataConfig['databaseConfig']['preConfig']>,
): Promise<DatabaseSettings> {
  const quoted = [...(schema === undefined ? [] : [schema]), name].map(quoteIdentifier).join('.');
  const [, , rows = []] = await tx.batch([CLEAR, { text: `select from ${quoted}()` }, CURRENT_SETTINGS]);
  return toVariables(rows as unknown as Row[]);
}

/** Converts names of settings to names of variables, for example `pgrst.db_schemas` to `PGRST_DB_SCHEMAS`. */
function toVariables(rows: readonly Row[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(({ name, value }) => [`PGRST_${name.slice(PREFIX.length).toUpperCase()}`, value]),
  );
}

/** A configuration, or the problems of the settings in the database without the values of secrets. */
type ConfigWithDatabase =
  | { kind: 'loaded'; config: DataConfig }
  | { kind: 'refused'; problems: readonly ConfigProblem[] };

/**
 * Returns the configuration of an environment, overridden by the settings of the database. Does not throw for an invalid
 * setting, so that an administrator of the database cannot accidentally stop the service.
 */
export function withDatabaseSettings(
  environment: ConfigSource,
  settings: DatabaseSettings,
): ConfigWithDatabase {
  try {
    return { kind: 'loaded', config: loadDataConfig(environment, settings) };
  } catch (error) {
    if (error instanceof ConfigError) return { kind: 'refused', problems: error.problems };
    throw error;
  }
}
