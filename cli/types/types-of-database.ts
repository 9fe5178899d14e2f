/** Generates types for the command line: from the database of the project's instance, or from any other database. */
import { readInstanceRecord } from '@greenroom/data-folder';
import { listStates, type ProjectToRun } from '@greenroom/project';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { generateTypes, requireWritable, type TypesRequest, writeTypes } from '@greenroom/typegen';
import { withInstanceDatabase } from '../instance-database.ts';
import { requireProject } from '../project.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { readTypesOptions, type TypesOptions } from './types-options.ts';

/** The database of an instance, or the connection URL of another one. */
type TypesDatabase = { config: Config; project: ProjectToRun } | { url: string };

/** The database of the types, and the options of their generation. */
export interface TypesSource {
  database: TypesDatabase;
  request: TypesRequest;
}

/** Reads the settings. Throws `ProjectError` without a project, unless the options name a database. */
export async function readTypesSource(
  { databaseUrl, output, ...options }: TypesOptions,
  ofProject: ProjectOptions,
): Promise<TypesSource> {
  if (output !== undefined) await requireWritable(output);
  const settings = await readSettings(ofProject);
  const config = await explained(settings, () => loadConfig(settings.source));
  const database =
    databaseUrl === undefined ? { config, project: requireProject(settings) } : { url: databaseUrl };
  const { schemas = defaultSchemas(config) } = options;
  return { database, request: { ...options, schemas, skipsMissing: options.schemas === undefined } };
}

/** As in the Supabase CLI: `api.schemas` of config.toml may name schemas that the database does not have. */
function defaultSchemas({ data }: Config): string[] {
  return [...new Set(['public', ...data.schemas])];
}

/** Returns the request for the TypeScript types of all exposed schemas. */
export function defaultRequest(config: Config): TypesRequest {
  return { ...readTypesOptions({ operands: [] }), schemas: defaultSchemas(config), skipsMissing: true };
}

/** Prints the types, or writes them to the file of `path`; messages go to the standard error. */
export async function printTypes(
  path: string | undefined,
  { database, request }: TypesSource,
): Promise<void> {
  await withDatabase(database, (url) => printTypesOf(url, path, request));
}

/** Does the same for the database of a connection URL. */
export async function printTypesOf(
  url: string,
  path: string | undefined,
  request: TypesRequest,
): Promise<void> {
  const text = await typesText(url, request);
  if (path === undefined) process.stdout.write(text);
  else if (await writeTypes(path, text)) printMessage(`wrote ${path}`);
}

/** Returns the types as a text file. The library ends only TypeScript with a line break; the Supabase CLI ends all. */
export async function typesText(url: string, request: TypesRequest): Promise<string> {
  const text = await generateTypes(url, request);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Prints a line that is not a part of the types. */
export function printMessage(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Returns the connection URL of a database that keeps running: the named one, that of `DATABASE_URL`, or that of the
 * running instance. Throws if no instance runs.
 */
export async function followedUrl(database: TypesDatabase): Promise<string> {
  if ('url' in database) return database.url;
  const { databaseUrl, dataDirectory } = database.config;
  if (databaseUrl !== undefined) return databaseUrl;
  const record = await readInstanceRecord(dataDirectory);
  if (record?.ready && record.credentials) return record.credentials.databaseUrl;
  throw new Error('--watch follows a running instance. Start it first: greenroom start');
}

async function withDatabase<T>(database: TypesDatabase, work: (url: string) => Promise<T>): Promise<T> {
  if ('url' in database) return work(database.url);
  return withInstanceDatabase(database, async (url) => {
    await warnOfUnapplied(url, database.project);
    return work(url);
  });
}

/** The database of a stopped instance may lack migrations that were written since. */
async function warnOfUnapplied(url: string, { project }: ProjectToRun): Promise<void> {
  const states = await listStates(url, project);
  const names = states.filter(({ hasFile, isApplied }) => hasFile && !isApplied);
  if (names.length === 0) return;
  const versions = names.map(({ version }) => version).join(', ');
  printMessage(
    `warning: the types lack migrations that are not applied: ${versions}. Apply them: greenroom migration up`,
  );
}
