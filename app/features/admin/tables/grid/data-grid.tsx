/** The rows of a selection with their actions. */
import { useRef, useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import type { RowPage } from '../grid-rows.ts';
import { ProblemAlert } from '../problem-alert.tsx';
import type { RowWindow } from '../row-window.ts';
import { type Selection, tablesPath } from '../table-address.ts';
import { readOnlyReason, type TableInfo } from '../table-model.ts';
import { useRowWindow } from '../use-row-window.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { GridToolbar } from './grid-toolbar.tsx';
import { GridViewport } from './grid-viewport.tsx';
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
  const [conflict, setConflict] = useState<Conflict>();
  const reason = readOnlyReason(table);
  // The database itself says why it refuses changes of another owner's table.
  const isReadOnly = reason !== undefined && reason !== 'no-privilege';
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <GridToolbar
        table={table}
        selection={selection}
        grid={grid}
        chosen={chosen}
        changes={changes}
        isReadOnly={isReadOnly}
        onReload={() => dispatch({ type: 'reload' })}
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
      />
      <Notes window={window} selection={selection} onRetry={() => dispatch({ type: 'retry' })} />
      {conflict && <ConflictDialog conflict={conflict} changes={changes} onConflict={setConflict} />}
    </div>
  );
}

/** Says why there are no rows, or no further ones. */
function Notes({ window, selection, onRetry }: { window: RowWindow; selection: Selection; onRetry(): void }) {
  const texts = useTexts(adminTablesTexts);
  const isFiltered = selection.filters.length > 0;
  return (
    <>
      {window.known === 0 && window.isComplete && (
        <div className="card">
          <EmptyState
            icon="lucide:table-2"
            title={isFiltered ? texts.grid.noMatches : texts.grid.noRows}
            text={isFiltered ? undefined : texts.grid.noRowsText}
          />
        </div>
      )}
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
