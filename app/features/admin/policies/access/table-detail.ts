/** A table with the access of all roles in sentences. */
import type { ColumnInfo, RoleInfo, TableInfo } from './model.ts';
import type { Part } from './words.ts';

/** The data of a table. */
export interface TableDetail {
  table: TableInfo;
  columns: readonly ColumnInfo[];
  roles: readonly RoleInfo[];
  /** The sentences of each role, in the order of `roles`. */
  words: readonly (readonly (readonly Part[])[])[];
}
