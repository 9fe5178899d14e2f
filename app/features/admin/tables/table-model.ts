/** Schemas, relations and columns as the section “Tables” shows them. */

/** How values of a column are entered, compared and shown. */
export type ColumnKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'json'
  | 'array'
  | 'enum'
  | 'date'
  | 'timestamp'
  | 'time'
  | 'uuid'
  | 'bytea'
  | 'other';

/** The kind of a relation. */
export type RelationKind = 'table' | 'partitioned' | 'view' | 'materialized' | 'foreign';

/** A relation of the list. */
export interface Relation {
  schema: string;
  name: string;
  kind: RelationKind;
  /** Estimate of the planner; null if the relation was never analysed, or has no rows of its own. */
  rows: number | null;
  bytes: number;
  hasRls: boolean;
}

/** A column of a relation. */
export interface TableColumn {
  name: string;
  /** For casts: without a length, because a cast would cut longer values silently. */
  type: string;
  /** For users: with its length or precision. */
  shownType: string;
  kind: ColumnKind;
  /** Type of the elements of an array. */
  elementType: string | null;
  isNullable: boolean;
  /** Expression of the default; null without one. */
  default: string | null;
  /** Whether the database determines the value: generated columns, and identity columns that are always generated. */
  isGenerated: boolean;
  /** Identity columns that are always generated can be inserted with `overriding system value`. */
  isIdentity: boolean;
  /** Values of an enum, in their order; empty for other types. */
  labels: readonly string[];
  /** Whether the type has an order, which sorting needs. */
  isSortable: boolean;
  comment: string | null;
}

/** A foreign key of one or more columns. */
export interface ForeignKey {
  columns: readonly string[];
  schema: string;
  table: string;
  references: readonly string[];
}

/** A relation with everything that its grid needs. */
export interface TableInfo extends Omit<Relation, 'rows' | 'bytes'> {
  owner: string;
  columns: readonly TableColumn[];
  /** Columns that identify a row: the primary key, or a unique index without nulls. Empty without one. */
  key: readonly string[];
  foreignKeys: readonly ForeignKey[];
  /** Tables whose rows are deleted together with those that they reference. */
  cascades: readonly string[];
  /** Whether the role of the admin area may change rows. */
  mayWrite: boolean;
}

/** Why the rows of a relation cannot be edited; undefined if they can. */
type ReadOnlyReason = 'view' | 'foreign' | 'no-key' | 'no-privilege';

/** Returns why the rows cannot be edited. New rows of a table without a key can be inserted. */
export function readOnlyReason(
  table: Pick<TableInfo, 'kind' | 'key' | 'mayWrite'>,
): ReadOnlyReason | undefined {
  if (table.kind === 'view' || table.kind === 'materialized') return 'view';
  if (table.kind === 'foreign') return 'foreign';
  if (!table.mayWrite) return 'no-privilege';
  return table.key.length === 0 ? 'no-key' : undefined;
}

/** Returns the column with a name. */
export function columnOf(table: Pick<TableInfo, 'columns'>, name: string): TableColumn | undefined {
  return table.columns.find((column) => column.name === name);
}
