/** SQL that the user may run after a restore. */
import type { Column, TableDescription } from './describe-table.ts';
import type { RestoredTable } from './restore-tables.ts';

/** Returns lines with statements and comments that return restored rows to their table. */
export function nextStatements({ former, live, table, converted }: RestoredTable): string[] {
  const target = live ?? former;
  const before =
    live === undefined
      ? [`-- ${former.quoted} does not exist any more. Create it first, e.g. by its migration.`]
      : [];
  if (!isTable(target)) return [`-- ${target.quoted} is not a table any more.`];
  const columns = commonColumns(former, target, new Set(converted.map(({ column }) => column)));
  if (columns.length === 0)
    return [...before, `-- ${target.quoted} has none of the restored columns any more.`];
  const omitted = former.columns.filter(
    ({ name, isGenerated }) => !isGenerated && target.columns.every((column) => column.name !== name),
  );
  const keyColumns = target.primaryKey.every((key) => columns.some(({ quoted }) => quoted === key))
    ? target.primaryKey
    : [];
  const names = columns.map(({ quoted }) => quoted).join(', ');
  const values = columns.map(({ expression }) => expression).join(', ');
  const overriding = columns.some(({ isAlwaysIdentity }) => isAlwaysIdentity)
    ? ' overriding system value'
    : '';
  const conflict =
    keyColumns.length > 0 ? ` on conflict (${keyColumns.join(', ')}) do nothing` : ' on conflict do nothing';
  return [
    ...before,
    ...(omitted.length > 0
      ? [`-- ${target.quoted} has no column ${omitted.map(({ quoted }) => quoted).join(', ')} any more.`]
      : []),
    ...(keyColumns.length > 0
      ? []
      : [`-- ${target.quoted} has no primary key: rows that it still has may be added a second time.`]),
    `insert into ${target.quoted} (${names})${overriding} select ${values} from ${table}${conflict};`,
  ];
}

function isTable({ kind }: TableDescription): boolean {
  return kind === 'r' || kind === 'p';
}

/** A column that both tables have, and the value that is inserted. */
interface CommonColumn {
  quoted: string;
  expression: string;
  isAlwaysIdentity: boolean;
}

/** PostgreSQL computes generated columns itself. A type that has changed needs a cast. */
function commonColumns(
  former: TableDescription,
  target: TableDescription,
  texts: ReadonlySet<string>,
): CommonColumn[] {
  const byName = new Map<string, Column>(former.columns.map((column) => [column.name, column]));
  return target.columns.flatMap(({ name, quoted, type, isGenerated, isAlwaysIdentity }) => {
    const source = byName.get(name);
    if (isGenerated || source === undefined) return [];
    const isSame = type === (texts.has(quoted) ? 'text' : source.type);
    return [{ quoted, expression: isSame ? quoted : `${quoted}::${type}`, isAlwaysIdentity }];
  });
}
