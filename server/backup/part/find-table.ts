/** Finds the tables that can be restored, and explains why others cannot. */
import type { Session } from '@greenroom/postgres';
import { describeTable, type TableDescription } from './describe-table.ts';
import { nameHint } from './name-hint.ts';
import type { TableSelection } from './selection.ts';

const REGULAR = 'r';
const PARTITIONED = 'p';
const SYSTEM_SCHEMA = /^(?:pg_catalog|information_schema|pg_toast)$/;

const REFUSALS: Readonly<Record<string, string>> = {
  v: 'is a view, which has no rows. Restore the tables that it reads',
  m: 'is a materialized view, whose rows come from tables. Restore these tables',
  f: 'is a foreign table, whose rows are on another server',
  S: 'is a sequence, not a table',
};

const TABLE_NAMES = `
  select pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname) as name
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
  order by n.nspname <> 'public', n.nspname, c.relname`;

/** Finds a table of the backup. Throws a sentence if it does not exist or its rows are not in the backup. */
export async function findTable(session: Session, selection: TableSelection): Promise<TableDescription> {
  const table = await describeTable(session, selection);
  if (table === undefined) {
    const [rows = []] = await session.batch([{ text: TABLE_NAMES }]);
    const names = rows.map(({ name }) => String(name));
    const wanted = `${selection.schema}.${selection.name}`;
    throw new Error(`the backup has no table ${wanted}. ${nameHint(wanted, names)}`);
  }
  const reason = refusal(table, selection.schema);
  if (reason !== undefined) throw new Error(`${table.quoted} ${reason}.`);
  return table;
}

function refusal({ kind, storages }: TableDescription, schema: string): string | undefined {
  if (SYSTEM_SCHEMA.test(schema)) return 'belongs to PostgreSQL itself';
  if (kind !== REGULAR && kind !== PARTITIONED) return REFUSALS[kind] ?? 'is not a table';
  if (storages.some((storage) => storage.startsWith('u')))
    return 'is unlogged or has an unlogged partition, and PostgreSQL empties unlogged tables when it recovers a backup';
  if (storages.some((storage) => storage.endsWith('f')))
    return 'has a partition on another server. Restore its other partitions one by one';
  return undefined;
}

/** Returns the query of all rows. A partitioned table has the rows of its partitions, other tables their own only. */
export function rowsOf({ quoted, kind, columns }: TableDescription): string {
  const list = columns.map((column) => column.quoted).join(', ');
  return `select ${list} from ${kind === PARTITIONED ? '' : 'only '}${quoted}`;
}
