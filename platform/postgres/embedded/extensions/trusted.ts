/**
 * Extensions of PostgreSQL's own distribution that the hosted service lets `postgres` create, although PostgreSQL leaves them
 * to superusers. A control file that is found before PostgreSQL's own marks each as trusted. Those that read files or pages
 * of the server (file_fdw, pageinspect, pg_surgery and others) are not among them.
 */
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from '../binaries.ts';
import { withTrust } from './control-file.ts';

const NAMES: readonly string[] = [
  'autoinc',
  'bloom',
  'dblink',
  'dict_xsyn',
  'earthdistance',
  'insert_username',
  'moddatetime',
  'pg_prewarm',
  'pg_stat_statements',
  'pg_walinspect',
  'pgrowlocks',
  'pgstattuple',
  'postgres_fdw',
  'refint',
  'sslinfo',
];

/**
 * Statements that follow the script of an extension. Objects of a trusted extension belong to the superuser, and CREATE
 * SERVER needs a right on the wrapper.
 */
const SUPPLEMENTS: Readonly<Record<string, string>> = {
  postgres_fdw: 'grant usage on foreign data wrapper postgres_fdw to @extowner@ with grant option;\n',
};

/** A control file or a script to install. */
interface TrustedFile {
  kind: 'control' | 'script';
  name: string;
  /** Differs after each change of the content. */
  facts: string;
  read(): Promise<string>;
}

/** Returns the folder of the extensions that are part of PostgreSQL. */
export function systemExtensionFolders({ postgres }: Pick<Binaries, 'postgres'>): [string, string] {
  const shared = join(dirname(dirname(postgres)), 'share');
  return [join(shared, 'postgresql', 'extension'), join(shared, 'extension')];
}

/** Returns the files that mark extensions as trusted. Synchronous, like the search for other files of extensions. */
export function trustedExtensionFiles(binaries: Pick<Binaries, 'postgres'>): TrustedFile[] {
  const folder = systemExtensionFolders(binaries).find(
    (candidate) => statSync(join(candidate, 'plpgsql.control'), { throwIfNoEntry: false }) !== undefined,
  );
  if (folder === undefined) return [];
  return NAMES.flatMap((name) => {
    const supplement = SUPPLEMENTS[name];
    return [
      fileOf('control', `${name}.control`, folder, (text) =>
        supplement === undefined ? withFolder(withTrust(text), folder) : withTrust(text),
      ),
      ...(supplement === undefined ? [] : scriptsOf(name, folder, supplement)),
    ];
  });
}

/** PostgreSQL looks for scripts in the folder of the control file, unless it names another one. */
function withFolder(control: string, folder: string): string {
  const value = folder.replaceAll('\\', '\\\\').replaceAll("'", "''");
  return `${control}directory = '${value}'\n`;
}

/** Copies of all scripts; the supplement is part of those that begin with no version. */
function scriptsOf(name: string, folder: string, supplement: string): TrustedFile[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${name}--`) && file.endsWith('.sql'))
    .map((file) => {
      const isUpdate = /--.+--/.test(file);
      return fileOf('script', file, folder, (text) => (isUpdate ? text : `${text}\n${supplement}`));
    });
}

function fileOf(
  kind: TrustedFile['kind'],
  name: string,
  folder: string,
  change: (text: string) => string,
): TrustedFile {
  const path = join(folder, name);
  const { size, mtimeMs } = statSync(path);
  const facts = ['trusted', path, size, mtimeMs].join(' ');
  return { kind, name, facts, read: async () => change(await readFile(path, 'utf8')) };
}
