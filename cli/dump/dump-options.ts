/** The options of `greenroom db dump`, as in the Supabase CLI. */
import { databaseUrl } from '../connection-url.ts';

/** Parsed options. */
export interface DumpOptions {
  kind: 'schema' | 'data' | 'roles';
  /** Undefined: all except for those of the platform. */
  schemas: readonly string[] | undefined;
  excludedTables: readonly string[];
  keepsComments: boolean;
  /** Path of the file to write. Undefined: the standard output. */
  file: string | undefined;
  /** URL of another database than that of the instance. */
  databaseUrl: string | undefined;
  isDryRun: boolean;
}

/** The values of the command line, by the names of the options. */
export interface DumpValues {
  'data-only'?: boolean;
  'role-only'?: boolean;
  'keep-comments'?: boolean;
  exclude?: readonly string[] | undefined;
  schema?: readonly string[] | undefined;
  file?: string | undefined;
  'dry-run'?: boolean;
  'db-url'?: string | undefined;
}

/** Checks the values. Throws with one message for the first that is not allowed. */
export function readDumpOptions(values: DumpValues): DumpOptions {
  const { 'data-only': isData = false, 'role-only': isRoles = false, schema, exclude, file } = values;
  const { 'keep-comments': keepsComments = false, 'dry-run': isDryRun = false, 'db-url': url } = values;
  refuse(isData && isRoles, 'use either --data-only or --role-only.');
  refuse(isData && keepsComments, 'use either --data-only or --keep-comments.');
  refuse(isRoles && schema !== undefined, 'use either --role-only or --schema.');
  refuse(!isData && exclude !== undefined, '--exclude requires --data-only.');
  refuse(file === '', '--file requires the path of a file, e.g. --file schema.sql.');
  return {
    kind: isData ? 'data' : isRoles ? 'roles' : 'schema',
    schemas: schema && namesOf('--schema', schema),
    excludedTables: exclude ? namesOf('--exclude', exclude) : [],
    keepsComments,
    file,
    databaseUrl: url === undefined ? undefined : databaseUrl('--db-url', url),
    isDryRun,
  };
}

function refuse(isWrong: boolean, message: string): void {
  if (isWrong) throw new Error(message);
}

/** Each option may contain several names, separated by commas. */
function namesOf(option: string, lists: readonly string[]): string[] {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  refuse(names.includes(''), `${option} requires names separated by commas.`);
  return [...new Set(names)];
}
