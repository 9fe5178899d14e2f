/** Compares two schemas with the help of databases that exist only meanwhile. */
import { createLogger } from '@greenroom/log';
import { listStates, ProjectError, setUpProject } from '@greenroom/project';
import { DEFAULT_SCHEMA_KEYS } from '@greenroom/project/config-file';
import {
  applyDeclaredFiles,
  planChanges,
  readDeclaredFiles,
  type SchemaChanges,
  SchemaDiffError,
} from '@greenroom/project/schema-diff';
import { type TrialServer, withTrialServer } from '@greenroom/server';
import { hasDatabase, withInstanceDatabase } from '../instance-database.ts';
import { withInterruption } from '../interruption.ts';
import { chooseShadowPort } from '../ports/shadow-port.ts';
import type { ConfiguredProject } from '../read-project.ts';
import { requireReachable } from '../target-database.ts';
import type { SchemaSource } from './source.ts';

/** Options of {@link compareSchemas}. */
interface SchemaComparison {
  from: SchemaSource;
  to: SchemaSource;
  /** Compare only these schemas. Default: all of the project. */
  schemas?: readonly string[] | undefined;
}

/**
 * Returns the statements that change one schema to the other. Neither database changes. Throws `SqlFileError` for a
 * migration or a schema file that cannot be applied, and `SchemaDiffError` if the difference has no complete statements.
 */
export async function compareSchemas(
  configured: ConfiguredProject,
  { from, to, schemas }: SchemaComparison,
): Promise<SchemaChanges> {
  await requireSources([from, to], configured);
  const { format } = configured.schema ?? DEFAULT_SCHEMA_KEYS;
  return withComparisonServer(configured, (server) =>
    withSchema(to, { configured, server }, async (desired) => {
      if (from.kind === 'migrations' && to.kind === 'local') await requireApplied(desired, configured);
      const copy = await copyOf(from, { configured, server });
      return planChanges({ from: copy, to: desired, schemas, format });
    }),
  );
}

/** Runs `work` with a server for databases of a comparison. A signal stops and removes the server. */
export async function withComparisonServer<T>(
  { config, toRun, settings }: ConfiguredProject,
  work: (server: TrialServer) => Promise<T>,
): Promise<T> {
  const log = createLogger(config.logLevel);
  const choosePort = () => chooseShadowPort(settings);
  let running: Promise<T> | undefined;
  return withInterruption(async (interrupted) => {
    try {
      return await withTrialServer({ config, toRun, log, choosePort }, (server) => {
        running = work(server);
        return Promise.race([running, interrupted]);
      });
    } finally {
      // After a signal, it ends because it has lost its server.
      await running?.catch(() => undefined);
    }
  });
}

/** Databases of other servers are tried first, because all other work takes seconds. */
async function requireSources(
  sources: readonly SchemaSource[],
  { config }: ConfiguredProject,
): Promise<void> {
  for (const source of sources) {
    if (source.kind === 'database') await requireReachable(source.url);
    if (source.kind === 'local' && !hasDatabase(config))
      throw new ProjectError('the project has no database yet. Create it: greenroom start');
  }
}

/** A migration that is not applied yet would appear as objects to drop. */
async function requireApplied(url: string, { toRun }: ConfiguredProject): Promise<void> {
  const states = await listStates(url, toRun.project);
  const pending = states.filter(({ hasFile, isApplied }) => hasFile && !isApplied);
  if (pending.length === 0) return;
  const names = pending.map(({ version, name }) => `${version}_${name}.sql`).join(', ');
  throw new ProjectError(
    `the database does not have these migrations yet: ${names}. Apply them first: greenroom migration up`,
  );
}

interface Surroundings {
  configured: ConfiguredProject;
  server: TrialServer;
}

/** Runs `work` with the URL of a database that has a schema. */
async function withSchema<T>(
  source: SchemaSource,
  { configured, server }: Surroundings,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const { config, toRun } = configured;
  if (source.kind === 'database') return work(source.url);
  if (source.kind === 'local') return withInstanceDatabase({ config, project: toRun }, work);
  return work(await newDatabaseOf(source, { configured, server }));
}

/** Creates a database that has a schema and may be changed. */
async function copyOf(source: SchemaSource, surroundings: Surroundings): Promise<string> {
  if (source.kind === 'migrations' || source.kind === 'declared') return newDatabaseOf(source, surroundings);
  return withSchema(source, surroundings, async (url) => {
    const copy = await surroundings.server.copyDatabase();
    await planChanges({ from: copy, to: url }).catch((error: unknown) => {
      if (!(error instanceof SchemaDiffError)) throw error;
      throw new SchemaDiffError(`the schema of --from cannot be copied: ${error.message}`, { cause: error });
    });
    return copy;
  });
}

async function newDatabaseOf(
  { kind }: Extract<SchemaSource, { kind: 'migrations' | 'declared' }>,
  { configured, server }: Surroundings,
): Promise<string> {
  const { toRun } = configured;
  const url = await server.copyDatabase();
  if (kind === 'migrations') {
    await setUpProject({ url, ...toRun, seedPaths: [], onProgress: () => {} });
  } else {
    await setUpProject({ url, ...toRun, appliesMigrations: false, seedPaths: [], onProgress: () => {} });
    await applyDeclaredFiles(url, await readDeclaredFiles(toRun.project, declaredPaths(configured)));
  }
  return url;
}

/** Returns the paths and globs of the declared schema, relative to `supabase/`. */
function declaredPaths({ schema = DEFAULT_SCHEMA_KEYS }: ConfiguredProject): readonly string[] {
  return schema.paths.length > 0 ? schema.paths : [`${schema.folder}/**/*.sql`];
}
