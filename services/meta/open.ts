/** Opens the service: the connections of the owner of the database, and the audit log. */
import { advise } from '@greenroom/advisors';
import type { ConfigSource } from '@greenroom/config';
import { openRawPool } from '@greenroom/postgres';
import type { OpenService, ServiceContext } from '@greenroom/service';
import { findSchemaRefusal } from './access/schema-changes.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { createPruning } from './audit/prune.ts';
import { createMigrate } from './migration/migrate.ts';
import { metaPlugin } from './plugin.ts';
import { createRunHistory } from './queries/run-history.ts';
import { createSavedQueries } from './queries/saved-queries.ts';
import { META_ROLE } from './roles.ts';
import { createRunner } from './run/runner.ts';
import type { MetaConfig } from './settings.ts';

const PREFIX = '/pg';
const AUDIT_CONNECTIONS = 2;
const AUDIT_IDLE_MS = 10_000;

/** Opens the service. Connections are opened on demand. Without the owner's login or keys it has no routes. */
export async function open(context: ServiceContext<MetaConfig>): Promise<OpenService> {
  const { config, instance, source, database, keys, project, log } = context;
  const { ownerUrl } = database;
  if (ownerUrl === undefined || keys === undefined) return CLOSED;
  const onIdleError = ({ message }: Error) => log.warn({ pool: 'meta', reason: message }, 'connection lost');
  const runner = createRunner({
    maxRunning: config.maxRunningStatements,
    open: (options) =>
      openRawPool({
        ...options,
        url: ownerUrl,
        applicationName: 'greenroom meta',
        onIdleError,
        pools: database.pools,
      }),
  });
  const auditDatabase = database.open(META_ROLE, {
    name: 'meta',
    max: AUDIT_CONNECTIONS,
    idleTimeoutMs: AUDIT_IDLE_MS,
  });
  const audit = createAuditLog(auditDatabase);
  const pruning = createPruning(() => audit.prune(config.auditKeepDays), log);
  const findRefusal = () =>
    findSchemaRefusal({
      setting: config.schemaChanges,
      appUrl: instance.appUrl,
      supabaseFolder: project?.supabaseFolder,
    });
  const migrate = createMigrate({ ownerUrl, supabaseFolder: project?.supabaseFolder, findRefusal });
  const status = async () => {
    const refusal = await findRefusal();
    return {
      schema_changes: refusal === undefined,
      schema_changes_refusal: refusal ?? null,
      writes_migrations: project !== undefined,
    };
  };
  const parts = {
    readApiKey: keys.readApiKey,
    allowedAddresses: config.allowedAddresses,
    runner,
    audit,
    migrate,
    queries: createSavedQueries(auditDatabase),
    history: createRunHistory(auditDatabase),
    status,
    advise: () => advise({ url: ownerUrl, exposedSchemas: exposedSchemasOf(source) }),
  };
  return {
    routes: [
      {
        prefix: PREFIX,
        plugin: async (server) => server.register(metaPlugin, parts),
        openPaths: [],
        cors: CORS,
      },
    ],
    upgrades: [],
    health: {},
    metrics: undefined,
    onStarted: () => pruning.start(),
    close: async () => {
      pruning.stop();
      await Promise.all([runner.close(), auditDatabase.close()]);
    },
  };
}

/** Returns the schemas of the data API, whose setting belongs to another service. */
function exposedSchemasOf({ PGRST_DB_SCHEMAS: names, PGRST_DB_SCHEMA: former }: ConfigSource): string[] {
  return (names ?? former ?? 'public').split(',').map((name) => name.trim());
}

/** No page of another origin may read responses. */
const CORS = { allowedOrigins: () => [], handlesOptions: false };

const CLOSED: OpenService = {
  routes: [],
  upgrades: [],
  health: {},
  metrics: undefined,
  close: async () => undefined,
};
