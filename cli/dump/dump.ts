/** `greenroom db dump`: prints schemas, rows or roles of a database as SQL, or writes them to a file. */
import { writeFileAtomically } from '@greenroom/data-folder';
import {
  dataArguments,
  dumpData,
  dumpRoles,
  dumpSchema,
  ROLES_QUERY,
  schemaArguments,
} from '@greenroom/dump';
import { withInstanceDatabase } from '../instance-database.ts';
import { readProject } from '../read-project.ts';
import type { ProjectOptions } from '../settings.ts';
import { type DumpOptions, type DumpValues, readDumpOptions } from './dump-options.ts';

/** A dump contains accounts and password hashes. */
const FILE_MODE = 0o600;

/** Runs `db dump`. Messages go to the standard error. A file is complete or not written. */
export async function dump(values: DumpValues, ofProject: ProjectOptions): Promise<number> {
  const options = readDumpOptions(values);
  const text = options.isDryRun ? dryRun(options) : await dumpFrom(options, ofProject);
  if (options.file === undefined) process.stdout.write(text);
  else await writeDump(options.file, text);
  return 0;
}

async function dumpFrom(options: DumpOptions, ofProject: ProjectOptions): Promise<string> {
  if (options.databaseUrl !== undefined) return dumpDatabase(options.databaseUrl, options);
  const { config, toRun } = await readProject(ofProject);
  return withInstanceDatabase({ config, project: toRun }, (url) => dumpDatabase(url, options));
}

function dumpDatabase(url: string, options: DumpOptions): Promise<string> {
  switch (options.kind) {
    case 'schema':
      return dumpSchema(url, options);
    case 'data':
      return dumpData(url, options);
    case 'roles':
      return dumpRoles(url);
  }
}

function dryRun(options: DumpOptions): string {
  if (options.kind === 'roles') return `${ROLES_QUERY.trim()};\n`;
  const args = options.kind === 'schema' ? schemaArguments(options) : dataArguments(options);
  return `pg_dump ${args.map((argument) => `'${argument.replaceAll("'", "'\\''")}'`).join(' ')}\n`;
}

async function writeDump(path: string, text: string): Promise<void> {
  await writeFileAtomically(path, text, FILE_MODE).catch((error: Error) => {
    throw new Error(`cannot write ${path}: ${error.message}`, { cause: error });
  });
  process.stderr.write(`wrote ${path}\n`);
}
