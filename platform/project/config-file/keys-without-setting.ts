/**
 * Keys of config.toml that no setting declares: those of the project, and those of products that have no counterpart here.
 * Declared once: known keys and the reference page follow from this table.
 */
import type { ConfigValue } from '@greenroom/config';
import { BUCKET_KEYS } from './bucket-keys.ts';
import { FUNCTION_KEYS } from './function-keys.ts';

/** A key that sets nothing. */
export interface KeyWithoutSetting {
  key: string;
  formerKeys?: readonly string[];
  members?: readonly string[] | 'any';
  /**
   * `project`: the key describes the project. `meaningless`: it has no meaning here.
   */
  kind: 'project' | 'meaningless';
  /** For the reference page: the effect, or why there is none. */
  reason: string;
  /** Value that needs no warning, because it is what happens anyway. */
  default?: ConfigValue;
}

/** Keys of one table, with their defaults. */
type Names = Readonly<Record<string, ConfigValue | undefined>>;

function declare(kind: KeyWithoutSetting['kind'], table: string, reason: string, names: Names) {
  return Object.entries(names).map(
    ([name, value]): KeyWithoutSetting => ({
      key: `${table}.${name}`,
      kind,
      reason,
      ...(value !== undefined && { default: value }),
    }),
  );
}

const meaningless = (table: string, reason: string, names: readonly string[]) =>
  declare('meaningless', table, reason, Object.fromEntries(names.map((name) => [name, undefined])));

/** A table whose keys are the user's. */
function anyKeys(key: string, kind: KeyWithoutSetting['kind'], reason: string): KeyWithoutSetting {
  return { key, members: 'any', kind, reason };
}

const ANALYTICS = 'There is no Logflare. Logs are on standard output, and metrics at `/metrics`.';
const STUDIO = 'There is no Studio. The admin area is at `/admin`.';
const POOLER = 'There is no pooler in front of the embedded PostgreSQL.';
const BUCKET_KINDS = 'Only buckets for files exist.';
const ORIOLE = 'OrioleDB is another build of PostgreSQL.';
const COMPUTE = 'Services of the hosted platform.';
const FUNCTIONS = '[Functions](functions.md#functions-of-a-project) of the project.';
const FUNCTION_SECRETS = '[Secrets](functions.md#secrets) that functions receive in their environment.';
const FUNCTION_ENV = '[Variables](functions.md#secrets) of the environment of one function.';
const DENO = 'A start warns if the project is for Deno 1; functions run on Deno 2.';
const MIGRATIONS = 'Whether [migrations](migrations.md) are applied.';
const SEEDS = '[Seeds](migrations.md) of a new database.';
const BUCKETS = '[Buckets](storage.md#buckets-of-a-project) that the start creates or changes.';
const NEW_TABLES =
  'Whether the roles of the API have rights on new tables, sequences and functions in `public`.';
const SECRETS = '[Secrets](migrations.md#secrets) that are stored in [Vault](vault.md).';
const RULES = '[Rules](../inspect.md#check-rules) that `greenroom inspect report` checks.';
const WEBHOOKS =
  'With true, the start creates the extension pg_net for [database webhooks](../webhooks.md) if it was dropped. False is not allowed.';
const VERSION = 'A start warns if the database runs an older version of PostgreSQL; the embedded one is 18.';
const SCHEMAS = 'Files of the [declared schema](../compare-schemas.md#declare-the-schema).';
const PG_DELTA =
  'Whether comparisons of schemas use pg-delta. There is no other engine: with false, `db diff --use-pg-delta` is the only one.';
const SCHEMA_FOLDER =
  'Folder of the [declared schema](../compare-schemas.md#declare-the-schema), relative to `supabase/`. Default: `schemas`.';
const SCHEMA_FORMAT =
  'How [comparisons of schemas](../compare-schemas.md) write SQL: an object as JSON text.';

/** The keys, in the order of the reference page. */
export const KEYS_WITHOUT_SETTING: readonly KeyWithoutSetting[] = [
  { key: 'project_id', kind: 'project', reason: 'Names the project, and chooses the remote.' },
  ...declare('project', 'db.migrations', MIGRATIONS, { enabled: true }),
  ...declare('project', 'db.migrations', SCHEMAS, { schema_paths: [] }),
  ...declare('project', 'experimental.pgdelta', PG_DELTA, { enabled: true }),
  ...declare('project', 'experimental.pgdelta', SCHEMA_FOLDER, { declarative_schema_path: undefined }),
  ...declare('project', 'experimental.pgdelta', SCHEMA_FORMAT, { format_options: undefined }),
  ...declare('project', 'db.seed', SEEDS, { enabled: true, sql_paths: ['./seed.sql'] }),
  ...declare('project', 'api', NEW_TABLES, { auto_expose_new_tables: true }),
  ...declare('project', 'db', VERSION, { major_version: 17 }),
  anyKeys('db.vault', 'project', SECRETS),
  ...declare('project', 'experimental.inspect', RULES, { rules: [] }),
  ...declare('project', 'experimental.webhooks', WEBHOOKS, { enabled: undefined }),
  { key: 'storage.buckets.<name>', members: BUCKET_KEYS, kind: 'project', reason: BUCKETS },
  { key: 'functions.<name>', members: FUNCTION_KEYS, kind: 'project', reason: FUNCTIONS },
  anyKeys('functions.<name>.env', 'project', FUNCTION_ENV),
  anyKeys('edge_runtime.secrets', 'project', FUNCTION_SECRETS),
  ...declare('project', 'edge_runtime', DENO, { deno_version: 2 }),
  ...meaningless('analytics', ANALYTICS, [
    'enabled',
    'port',
    'backend',
    'vector_port',
    'gcp_project_id',
    'gcp_project_number',
    'gcp_jwt_path',
  ]),
  ...meaningless('studio', STUDIO, ['enabled', 'port', 'api_url', 'openai_api_key']),
  ...meaningless('db.pooler', POOLER, [
    'enabled',
    'port',
    'pool_mode',
    'default_pool_size',
    'max_client_conn',
  ]),
  ...meaningless('storage.analytics', BUCKET_KINDS, [
    'enabled',
    'max_namespaces',
    'max_tables',
    'max_catalogs',
  ]),
  anyKeys('storage.analytics.buckets', 'meaningless', BUCKET_KINDS),
  ...meaningless('storage.vector', BUCKET_KINDS, ['enabled', 'max_buckets', 'max_indexes']),
  anyKeys('storage.vector.buckets', 'meaningless', BUCKET_KINDS),
  {
    key: 'db.orioledb_version',
    formerKeys: ['experimental.orioledb_version'],
    kind: 'meaningless',
    reason: ORIOLE,
  },
  ...meaningless('experimental', ORIOLE, ['s3_host', 's3_region', 's3_access_key', 's3_secret_key']),
  ...meaningless('edge_runtime', 'Workers are managed by the functions service.', ['policy']),
  ...meaningless('experimental', COMPUTE, ['compute', 'stack']),
  anyKeys('compute', 'meaningless', COMPUTE),
];
