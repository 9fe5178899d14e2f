/** Runs SQL on the database of an instance, or on any other. */
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { queryTexts, type TextResult } from '@greenroom/postgres';
import { queryError } from '@greenroom/project';
import { loadConfig } from '@greenroom/server/settings';
import { databaseUrl } from '../connection-url.ts';
import { withInstanceDatabase } from '../instance-database.ts';
import { isInputPiped } from '../piped-input.ts';
import { projectToRun } from '../project.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { RENDERERS } from './render-results.ts';

/** Options of {@link runQuery}. */
interface QueryOptions {
  /** Undefined: the file, or the standard input. */
  sql: string | undefined;
  file: string | undefined;
  isReadOnly: boolean;
  format: keyof typeof RENDERERS;
  /** Undefined: the database of the instance. */
  databaseUrl: string | undefined;
}

/** Prints the results; notices and errors go to the standard error. */
export async function runQuery(options: QueryOptions, project: ProjectOptions): Promise<number> {
  const { isReadOnly, format } = options;
  const { sql, name } = await readSql(options);
  const results = await withDatabase(options.databaseUrl, project, (url) =>
    query({ url, sql, name, isReadOnly }),
  );
  process.stdout.write(RENDERERS[format](results));
  return 0;
}

/** Text to run, and the file that it is from. */
interface Sql {
  sql: string;
  name: string | undefined;
}

async function readSql({ sql, file }: QueryOptions): Promise<Sql> {
  if (sql !== undefined && file !== undefined) throw new Error('use either SQL or --file.');
  if (sql !== undefined) return { sql, name: undefined };
  if (file !== undefined) {
    const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new Error(`${file} cannot be read: ${error.message}`);
    });
    return { sql: content.replace(/^\uFEFF/, ''), name: file };
  }
  const input = isInputPiped() ? await textOf(process.stdin) : '';
  if (input.trim() !== '') return { sql: input, name: undefined };
  throw new Error(
    `db query requires SQL: greenroom db query "select 1", greenroom db query -f file.sql, or the standard input.`,
  );
}

async function withDatabase<T>(
  text: string | undefined,
  options: ProjectOptions,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (text !== undefined) return work(databaseUrl('--db-url', text));
  const settings = await readSettings(options);
  const config = await explained(settings, () => loadConfig(settings.source));
  return withInstanceDatabase({ config, project: projectToRun(settings) }, work);
}

async function query({
  url,
  sql,
  name,
  isReadOnly,
}: Sql & { url: string; isReadOnly: boolean }): Promise<TextResult[]> {
  try {
    return await queryTexts({
      url,
      sql,
      isReadOnly,
      applicationName: 'greenroom db query',
      onNotice: ({ severity, message }) => void process.stderr.write(`${severity}:  ${message}\n`),
    });
  } catch (error) {
    throw queryError(error, { sql, path: name });
  }
}
