/** The rows of a selection with their actions. */
import { useRef, useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { EmptyRows } from '../empty-rows.tsx';
import type { RowPage } from '../grid-rows.ts';
import { ProblemAlert } from '../problem-alert.tsx';
import type { RowWindow } from '../row-window.ts';
import { type Selection, tablesPath } from '../table-address.ts';
import { readOnlyReason, type TableInfo } from '../table-model.ts';
import { useRowWindow } from '../use-row-window.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { GridToolbar } from './grid-toolbar.tsx';
import { GridViewport } from './grid-viewport.tsx';
import { type OpenDialog, RowDialogs } from './row-dialogs.tsx';
import { type Conflict, useChanges } from './use-changes.ts';
import { useGridColumns } from './use-grid-columns.ts';
import { useSelection } from './use-selection.ts';
import { MAX_SCROLLED_ROWS, rowCount } from './use-virtual-grid.ts';

interface DataGridProps {
  table: TableInfo;
  first: RowPage;
  selection: Selection;
}

/** The component must be remounted for another selection. */
export function DataGrid({ table, first, selection }: DataGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const loading = useRowWindow(table, selection, first);
  const { window, dispatch } = loading;
  const grid = useGridColumns(table);
  const changes = useChanges(table, selection, dispatch);
  const chosen = useSelection();
  const [open, setOpen] = useState<OpenDialog>();
  const [conflict, setConflict] = useState<Conflict>();
  const reason = readOnlyReason(table);
  // The database itself says why it refuses changes of another owner's table.
  const isReadOnly = reason !== undefined && reason !== 'no-privilege';
  const canInsert = !isReadOnly || reason === 'no-key';
  const reload = () => dispatch({ type: 'reload' });
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <GridToolbar
        table={table}
        selection={selection}
        grid={grid}
        chosen={chosen}
        canInsert={canInsert}
        onOpen={setOpen}
        onReload={reload}
      />
      <GridViewport
        scroller={scroller}
        table={table}
        selection={selection}
        loading={loading}
        grid={grid}
        chosen={chosen}
        changes={changes}
        isReadOnly={isReadOnly}
        onConflict={setConflict}
      >
        <EmptyRows selection={selection}>{canInsert && <InsertButton onOpen={setOpen} />}</EmptyRows>
      </GridViewport>
      <Notes window={window} selection={selection} onRetry={() => dispatch({ type: 'retry' })} />
      <RowDialogs
        table={table}
        open={open}
        chosen={chosen}
        changes={changes}
        onReload={reload}
        onClose={() => setOpen(undefined)}
      />
      {conflict && <ConflictDialog conflict={conflict} changes={changes} onConflict={setConflict} />}
    </div>
  );
}

function InsertButton({ onOpen }: { onOpen(dialog: OpenDialog): void }) {
  const { toolbar } = useTexts(adminTablesTexts);
  return (
    <Button onClick={() => onOpen({ kind: 'insert', copied: undefined })}>
      <Icon name="lucide:plus" />
      {toolbar.insert}
    </Button>
  );
}

/** Says why there are no further rows. */
function Notes({ window, selection, onRetry }: { window: RowWindow; selection: Selection; onRetry(): void }) {
  const texts = useTexts(adminTablesTexts);
  return (
    <>
      {window.problem && (
        <ProblemAlert problem={window.problem}>
          <Button size="small" onClick={onRetry}>
            {texts.retry}
          </Button>
        </ProblemAlert>
      )}
      {rowCount(window) >= MAX_SCROLLED_ROWS && (
        <ButtonLink className="w-fit" to={tablesPath({ ...selection, after: window.starts.at(-1) })}>
          {texts.grid.continueHere}
        </ButtonLink>
      )}
    </>
  );
}
