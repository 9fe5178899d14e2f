/** Reads the relations of the database. */
import type { MetaClient } from '../../../session/meta-client.server.ts';
import { type ColumnRow, isSortable, kindOf, RELATIONS, type RelationRow, TABLE } from './catalog-sql.ts';
import type { ForeignKey, Relation, RelationKind, TableColumn, TableInfo } from './table-model.ts';

interface TableRow {
  schema: string;
  name: string;
  kind: RelationKind;
  has_rls: boolean;
  owner: string;
  may_write: boolean;
  columns: ColumnRow[];
  key: string[];
  foreign_keys: ForeignKey[];
  cascades: string[];
}

/** Lists all relations; those of the schema `public` come first. Rejects with `MetaError`. */
export async function listRelations(meta: MetaClient): Promise<Relation[]> {
  const rows = await meta.rows<RelationRow>(RELATIONS);
  return rows.map(({ has_rls: hasRls, ...row }) => ({ ...row, hasRls }));
}

/** Describes a relation; undefined if it does not exist. Rejects with `MetaError`. */
export async function findTable(
  meta: MetaClient,
  schema: string,
  table: string,
): Promise<TableInfo | undefined> {
  const [row] = await meta.rows<TableRow>(TABLE, [schema, table]);
  if (row === undefined) return undefined;
  const { has_rls: hasRls, may_write: mayWrite, foreign_keys: foreignKeys, columns, ...same } = row;
  return { ...same, hasRls, mayWrite, foreignKeys, columns: columns.map(toColumn) };
}

function toColumn(row: ColumnRow): TableColumn {
  const { name, type, shown_type: shownType, labels, comment } = row;
  return {
    name,
    type,
    shownType,
    labels,
    comment,
    kind: kindOf(row),
    elementType: row.element_type,
    isNullable: row.is_nullable,
    default: row.default,
    isGenerated: row.generated !== '' || row.identity === 'a',
    isIdentity: row.identity === 'a',
    isSortable: isSortable(row),
  };
}
