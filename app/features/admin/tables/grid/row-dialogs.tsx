/** The dialogs that insert, import and delete rows. At most one of them is open. */
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import type { GridRow } from '../grid-rows.ts';
import type { TableInfo } from '../table-model.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { RowForm } from './row-form.tsx';
import type { Changes } from './use-changes.ts';
import type { SelectedRows } from './use-selection.ts';

const ImportDialog = lazy(() =>
  import('../import/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
);

/** The whole values of a row to duplicate. */
export type CopiedRow = Readonly<Record<string, string | null>>;

/** The open dialog. */
export type OpenDialog =
  | { kind: 'insert'; copied: CopiedRow | undefined }
  | { kind: 'import' }
  | { kind: 'delete'; rows: readonly GridRow[] };

interface RowDialogsProps {
  table: TableInfo;
  open: OpenDialog | undefined;
  chosen: SelectedRows;
  changes: Changes;
  onReload(): void;
  onClose(): void;
}

/** Shows the open dialog. */
export function RowDialogs({ table, open, chosen, changes, onReload, onClose }: RowDialogsProps) {
  const { search } = useLocation();
  switch (open?.kind) {
    case 'insert':
      return <RowForm table={table} copied={open.copied} changes={changes} onClose={onClose} />;
    case 'delete':
      return (
        <DeleteDialog
          table={table}
          count={open.rows.length}
          onClose={onClose}
          onConfirm={async () => {
            if (await changes.remove(open.rows)) chosen.clear();
            onClose();
          }}
        />
      );
    case 'import':
      return (
        <Suspense>
          <ImportDialog key={search} table={table} onReload={onReload} onClose={onClose} />
        </Suspense>
      );
    case undefined:
      return null;
  }
}
