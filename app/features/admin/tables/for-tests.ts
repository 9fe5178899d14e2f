/** The SQL of the section “Tables”, for tests on a database. */
export { findTable } from './catalog.server.ts';
export {
  deleteStatement,
  importStatement,
  insertStatement,
  type RowVersion,
  type StoredRow,
  undoDelete,
  undoImport,
  undoInsert,
  undoUpdate,
  updateStatement,
} from './change-sql.ts';
export type { Statement } from './filters-sql.ts';
export { toGridRow } from './grid-rows.ts';
export { orderColumns, type RowsRequest, rowsStatement } from './rows-sql.ts';
export type { TableInfo } from './table-model.ts';
