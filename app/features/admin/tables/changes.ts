/** Requests and responses of changes, which the browser and the server share. */
import type { NewValues, RowVersion } from './change-sql.ts';
import type { GridRow } from './grid-rows.ts';
import type { Problem } from './sql-refusal.ts';
import type { Sort } from './table-address.ts';

/** Path of rows: pages, values, and changes. */
export const ROWS = '/admin/tables/rows';
/** Path of the export. */
export const EXPORT = '/admin/tables/export';
/** Maximum number of rows that are deleted at once. */
export const MAX_DELETED_ROWS = 1000;

interface OfTable {
  schema: string;
  table: string;
}

/** A row or an import to change. */
export type ChangeRequest =
  | (OfTable & { intent: 'update'; row: RowVersion; values: NewValues; sort?: Sort | undefined })
  | (OfTable & { intent: 'insert'; values: NewValues; sort?: Sort | undefined })
  | (OfTable & { intent: 'delete'; rows: readonly RowVersion[] })
  | (OfTable & { intent: 'undo'; auditId: string })
  | (OfTable & { intent: 'import-start'; file: string })
  | (OfTable & { intent: 'import-state'; auditId: string })
  | (OfTable & {
      intent: 'import-rows';
      auditId: string;
      columns: readonly string[];
      /** Number of records of the file before these. */
      start: number;
      rows: readonly (readonly (string | null)[])[];
    })
  | (OfTable & { intent: 'import-end'; auditId: string });

/** What a change did. `auditId` is empty if the change cannot be undone. */
export type ChangeResult =
  | { kind: 'updated'; row: GridRow; auditId: string }
  | { kind: 'inserted'; row: GridRow | null; auditId: string }
  | { kind: 'deleted'; count: number; kept: number; auditId: string }
  | { kind: 'undone'; count: number }
  /** The row has other values than those that the change was based on. */
  | { kind: 'conflict'; xmin: string; current: Readonly<Record<string, string | null>> }
  | { kind: 'gone' }
  | { kind: 'not-undone' }
  | { kind: 'import'; auditId: string; progress: ImportProgress }
  | { kind: 'refused'; reason: 'read-only' | 'invalid' }
  | { kind: 'problem'; problem: Problem };

/** How far an import is. */
export interface ImportProgress {
  file: string;
  /** Number of records that were read from the file. */
  read: number;
  inserted: number;
  failed: number;
  /** Transactions that inserted rows, for undoing. */
  transactions: readonly string[];
  /** Errors of the last request: the number of the record, from 0, and the reason. */
  errors: readonly { record: number; problem: Problem }[];
}
