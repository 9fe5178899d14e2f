/** Schemas that belong to the platform or to extensions, as patterns of pg_dump. The lists are those of the Supabase CLI. */

const OF_SYSTEM = ['information_schema', 'pg_*'];
const OF_EXTENSIONS = [
  'graphql',
  'graphql_public',
  'pgsodium',
  'pgsodium_masks',
  'pgtle',
  'repack',
  'tiger',
  'tiger_data',
  'timescaledb_*',
  '_timescaledb_*',
  'topology',
  'vault',
];
const OF_PLATFORM = [
  '_analytics',
  '_realtime',
  '_supavisor',
  'etl',
  'extensions',
  'greenroom',
  'pgbouncer',
  'realtime',
  'supabase_migrations',
];
/** Their rows belong to the project, although their tables do not. */
const WITH_ROWS_OF_PROJECTS = ['auth', 'cron', 'dbdev', 'net', 'pgmq', 'storage', 'supabase_functions'];

/** Schemas whose objects are not dumped. */
export const SCHEMAS_WITHOUT_OBJECTS: readonly string[] = [
  ...OF_SYSTEM,
  ...OF_EXTENSIONS,
  ...OF_PLATFORM,
  ...WITH_ROWS_OF_PROJECTS,
];

/** Schemas whose rows are not dumped. */
export const SCHEMAS_WITHOUT_ROWS: readonly string[] = [...OF_SYSTEM, ...OF_EXTENSIONS, ...OF_PLATFORM];

/**
 * Histories of migrations, whose rows belong to the platform, and the lists of queues and cron jobs, which the statements that
 * create them fill.
 */
export const TABLES_WITHOUT_ROWS: readonly string[] = [
  'auth.schema_migrations',
  'cron.job',
  'cron.job_run_details',
  'pgmq.meta',
  'storage.migrations',
  'supabase_functions.migrations',
];
