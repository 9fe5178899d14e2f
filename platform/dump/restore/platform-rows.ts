/** Rows of tables of the platform, which may have other columns here than where the backup was made. */
import { quoteIdentifier } from '@greenroom/postgres';
import type { ScriptConnection } from '@greenroom/psql';
import type { QualifiedName, StatementPart } from './statement-parts.ts';

/** Schemas whose rows depend on the server: they are encrypted with its key, or record its own migrations. */
const WITHOUT_ROWS: readonly string[] = ['pgsodium', 'vault'];

/** What happens to rows of the platform. */
type RowTreatment =
  | { kind: 'omit'; reason: string }
  /** `kept` has the indexes of the columns to write; undefined: all. */
  | { kind: 'write'; sql: string | undefined; kept: readonly number[] | undefined };

/** Returns the treatment of `copy schema.table (columns) from stdin` or of an insert. */
export async function treatRows(
  connection: ScriptConnection,
  { table, parts }: { table: QualifiedName; parts: readonly StatementPart[] },
): Promise<RowTreatment> {
  if (WITHOUT_ROWS.includes(table.schema))
    return { kind: 'omit', reason: 'they are encrypted with the key of the other server' };
  const existing = await columnsOf(connection, table);
  if (existing.length === 0) return { kind: 'omit', reason: 'there is no such table here' };
  const columns = listedColumns(parts);
  const isComplete = columns.every((column) => existing.includes(column));
  if (isComplete || parts[0]?.text !== 'copy') return { kind: 'write', sql: undefined, kept: undefined };
  const kept = [...columns.keys()].filter((index) => existing.includes(columns[index] ?? ''));
  const names = kept.map((index) => quoteIdentifier(columns[index] ?? '')).join(', ');
  const target = `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
  return { kind: 'write', sql: `copy ${target} (${names}) from stdin`, kept };
}

/** Returns the columns that can be written; none if the table does not exist. */
async function columnsOf(connection: ScriptConnection, { schema, name }: QualifiedName): Promise<string[]> {
  const table = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  const { rows } = await connection.run(
    `select attname from pg_catalog.pg_attribute where attrelid = pg_catalog.to_regclass('${table.replaceAll("'", "''")}')
      and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  return rows.map(([column]) => column ?? '');
}

/** Returns the names between the first parentheses. */
function listedColumns(parts: readonly StatementPart[]): string[] {
  const open = parts.findIndex(({ text }) => text === '(');
  const close = parts.findIndex(({ text }) => text === ')');
  if (open === -1 || close === -1) return [];
  return parts.slice(open, close).flatMap(({ kind, text }) => (kind === 'name' ? [text] : []));
}

/** Returns rows with only these columns, in the text format of `copy`, which escapes tabs and line breaks of values. */
export async function* withColumns(
  rows: AsyncIterable<string>,
  kept: readonly number[],
): AsyncGenerator<string> {
  for await (const piece of rows) {
    const lines = piece.split('\n').map((line) => {
      if (line === '') return line;
      const fields = line.split('\t');
      return kept.map((index) => fields[index] ?? '').join('\t');
    });
    yield lines.join('\n');
  }
}
