/** Writes a schema as files of a declared schema. */
import { relative, resolve } from 'node:path';
import { DEFAULT_SCHEMA_KEYS } from '@greenroom/project/config-file';
import {
  applyDeclaredFiles,
  filesOfStatements,
  parseSchemaFile,
  planChanges,
  type SchemaChanges,
  SchemaDiffError,
  type SchemaFile,
} from '@greenroom/project/schema-diff';
import type { TrialServer } from '@greenroom/server';
import { withInstanceDatabase } from '../instance-database.ts';
import type { ConfiguredProject } from '../read-project.ts';
import { withComparisonServer } from './compare-schemas.ts';
import { note, unmodelledMessage } from './report.ts';
import { replaceSchemaFolder, requireSchemaFolder } from './schema-folder.ts';
import type { SchemaSource } from './source.ts';

/** Options of {@link exportSchema}. */
interface SchemaExport {
  source: Extract<SchemaSource, { kind: 'local' | 'database' }>;
  schemas: readonly string[] | undefined;
  /** Relative to the current folder. Default: the folder of the declared schema. */
  outputFolder?: string | undefined;
  /** Whether SQL files of the folder may be replaced. */
  overwrites: boolean;
}

/** Returns the folder of an export. Throws if it contains SQL files that may not be replaced. */
export async function requireExportFolder(
  { toRun, schema = DEFAULT_SCHEMA_KEYS }: ConfiguredProject,
  { outputFolder, overwrites }: Pick<SchemaExport, 'outputFolder' | 'overwrites'>,
): Promise<string> {
  const { project } = toRun;
  const folder =
    outputFolder === undefined ? resolve(project.supabaseFolder, schema.folder) : resolve(outputFolder);
  await requireSchemaFolder(folder, { project, overwrites });
  return folder;
}

/**
 * Writes the schema that a database has in addition to a new one, after the files have proved to result in the same schema.
 */
export async function exportSchema(configured: ConfiguredProject, options: SchemaExport): Promise<void> {
  const folder = await requireExportFolder(configured, options);
  const { files, unmodelled } = await withSourceUrl(configured, options.source, (url) =>
    withComparisonServer(configured, (server) => filesOf(server, { configured, url, options })),
  );
  const message = unmodelledMessage(unmodelled);
  if (message !== undefined) note(`warning: ${message}`);
  await replaceSchemaFolder(folder, files);
  note(`wrote ${files.length} file${files.length === 1 ? '' : 's'} to ${relative('.', folder) || '.'}`);
}

function withSourceUrl<T>(
  { config, toRun }: ConfiguredProject,
  source: SchemaExport['source'],
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (source.kind === 'database') return work(source.url);
  return withInstanceDatabase({ config, project: toRun }, work);
}

interface Export {
  configured: ConfiguredProject;
  url: string;
  options: SchemaExport;
}

async function filesOf(
  server: TrialServer,
  { configured, url, options: { schemas } }: Export,
): Promise<{ files: SchemaFile[]; unmodelled: SchemaChanges['unmodelled'] }> {
  const { format } = configured.schema ?? DEFAULT_SCHEMA_KEYS;
  const changes = await planChanges({ from: await server.copyDatabase(), to: url, schemas, format });
  const files = filesOfStatements(changes.parts.flat());
  const loaded = await server.copyDatabase();
  await applyDeclaredFiles(loaded, files.map(parseSchemaFile));
  const { parts } = await planChanges({ from: loaded, to: url, schemas, format });
  if (parts.length > 0) throw incomplete(parts);
  return { files, unmodelled: changes.unmodelled };
}

function incomplete(parts: SchemaChanges['parts']): SchemaDiffError {
  const statements = parts.flat().map(({ sql }) => `  ${sql.replaceAll('\n', '\n  ')}`);
  return new SchemaDiffError(
    `the files would not result in the same schema, so none was written. Missing:\n${statements.join('\n')}`,
  );
}
