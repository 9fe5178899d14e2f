/** The declared schema as files, and as migrations. */
import { requireName, setUpProject } from '@greenroom/project';
import { requireEmbeddedDatabase } from '@greenroom/server';
import { databaseUrl } from '../../connection-url.ts';
import { withInstanceDatabase } from '../../instance-database.ts';
import { isConfirmed, requireProjectName } from '../../prompt.ts';
import { type ConfiguredProject, readProject } from '../../read-project.ts';
import { knownPublicUrl, resetProject } from '../../reset-project.ts';
import { compareSchemas } from '../../schema/compare-schemas.ts';
import { exportSchema, requireExportFolder } from '../../schema/export-schema.ts';
import { note, report } from '../../schema/report.ts';
import { type SchemaSource, schemasOf } from '../../schema/source.ts';
import type { ProjectOptions } from '../../settings.ts';
import { requireReachable } from '../../target-database.ts';
import { requireEnabledPgDelta, writeMigrations } from './diff.ts';

/** Which schema to write, and where. */
interface GenerateOptions {
  'output-dir': string | undefined;
  overwrite: boolean;
  reset: boolean;
  schema: readonly string[] | undefined;
  'db-url': string | undefined;
}

/** Writes the schema of a database as files. */
export async function generate(values: GenerateOptions, options: ProjectOptions): Promise<number> {
  const { 'output-dir': outputFolder, overwrite: overwrites } = values;
  if (values.reset && values['db-url'] !== undefined) throw new Error('use either --reset or --db-url.');
  const schemas = schemasOf(values.schema);
  const source = await sourceOf(values['db-url']);
  const configured = await readProject(options);
  await requireExportFolder(configured, { outputFolder, overwrites });
  if (values.reset) await reset(configured);
  await exportSchema(configured, { source, schemas, outputFolder, overwrites });
  return 0;
}

async function sourceOf(
  text: string | undefined,
): Promise<Exclude<SchemaSource, { kind: 'migrations' | 'declared' }>> {
  if (text === undefined) return { kind: 'local' };
  const url = databaseUrl('--db-url', text);
  await requireReachable(url);
  return { kind: 'database', url };
}

/** Replaces the database of the instance, like `db reset`. */
async function reset({ config, toRun }: ConfiguredProject): Promise<void> {
  requireEmbeddedDatabase(config);
  const publicUrl = await knownPublicUrl(config);
  if (publicUrl !== undefined) await requireProjectName(toRun.name, publicUrl);
  await resetProject({ config, toRun, lastVersion: undefined });
}

/** The migration to write, and whether to apply it. */
interface SyncOptions {
  file: string | undefined;
  name: string | undefined;
  schema: readonly string[] | undefined;
  /** Undefined: after a question. */
  applies: boolean | undefined;
}

/** Writes the difference of the migrations and the declared schema as a migration. */
export async function sync(values: SyncOptions, options: ProjectOptions): Promise<number> {
  if (values.file !== undefined && values.name !== undefined) throw new Error('use either --file or --name.');
  const name = requireName(values.file ?? values.name ?? 'declarative_sync');
  const schemas = schemasOf(values.schema);
  const configured = await readProject(options);
  requireEnabledPgDelta(configured);
  const changes = await compareSchemas(configured, {
    from: { kind: 'migrations' },
    to: { kind: 'declared' },
    schemas,
  });
  if (!report(changes)) return 0;
  await writeMigrations(configured, { name, changes });
  if (values.applies === false) return 0;
  if (values.applies || (await isConfirmed('Apply it to the database of the instance?')))
    await apply(configured);
  else note('not applied. Apply it later: greenroom migration up');
  return 0;
}

async function apply({ config, toRun }: ConfiguredProject): Promise<void> {
  await withInstanceDatabase({ config, project: toRun }, (url) =>
    setUpProject({ url, ...toRun, appliesMigrations: true, includesHeld: true, onProgress: note }),
  );
}
