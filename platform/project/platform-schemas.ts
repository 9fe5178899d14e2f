/** The schemas of a database that do not belong to its project. A separate entry without imports. */

/** Schemas of services, to whose tables projects add policies and triggers. */
export const SERVICE_SCHEMAS = ['auth', 'realtime', 'storage'];

/** Schemas of Greenroom, of the hosted service, and of extensions with separate schemas. */
export const PLATFORM_SCHEMAS: readonly string[] = [
  ...SERVICE_SCHEMAS,
  '_analytics',
  '_realtime',
  '_supavisor',
  'cron',
  'etl',
  'extensions',
  'graphql',
  'graphql_public',
  'greenroom',
  'net',
  'pgbouncer',
  'pgmq',
  'pgmq_public',
  'pgsodium',
  'pgsodium_masks',
  'pgtle',
  'supabase_functions',
  'supabase_migrations',
  'vault',
];
