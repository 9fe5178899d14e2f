/** Dumps the rows of tables as INSERT statements. */
import { SCHEMAS_WITHOUT_ROWS, TABLES_WITHOUT_ROWS } from './internal-schemas.ts';
import { runPgDump } from './run-pg-dump.ts';

/** What to dump. */
interface DataDump {
  /** Undefined: all except for those of the platform and of extensions; includes accounts and objects of storage. */
  schemas?: readonly string[] | undefined;
  /** Names of tables with their schemas, e.g. `public.notes`. */
  excludedTables: readonly string[];
}

/** Returns the arguments of pg_dump. */
export function dataArguments({ schemas, excludedTables }: DataDump): string[] {
  return [
    '--data-only',
    '--quote-all-identifiers',
    '--column-inserts',
    '--rows-per-insert=100000',
    ...(schemas === undefined
      ? [`--exclude-schema=${SCHEMAS_WITHOUT_ROWS.join('|')}`]
      : schemas.map((name) => `--schema=${quoted(name)}`)),
    ...[...TABLES_WITHOUT_ROWS, ...excludedTables].map((name) => `--exclude-table=${quotedTable(name)}`),
  ];
}

/** Returns the SQL that inserts the rows, without running triggers. Throws `DumpError`. */
export async function dumpData(url: string, dump: DataDump): Promise<string> {
  const text = await runPgDump(url, dataArguments(dump));
  return `SET session_replication_role = replica;\n\n${text.trimEnd()}\n\nRESET ALL;\n`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quotedTable(name: string): string {
  return name.split('.').map(quoted).join('.');
}
