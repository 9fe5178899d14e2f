/** The grid itself: it renders the visible cells only, loads rows while they scroll into view, and is used by keyboard like a sheet. */
import { type ReactNode, type RefObject, useEffect, useMemo } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { rowAt, rowId } from '../row-window.ts';
import type { Selection } from '../table-address.ts';
import type { TableInfo } from '../table-model.ts';
import type { RowLoading } from '../use-row-window.ts';
import { CellEditor } from './cell-editor.tsx';
import { GridHead } from './grid-head.tsx';
import { cellId, ROW_HEIGHT } from './grid-layout.ts';
import { GridRowView } from './grid-row.tsx';
import type { Changes, Conflict } from './use-changes.ts';
import type { GridColumns } from './use-grid-columns.ts';
import { type Editing, useGridEvents } from './use-grid-events.ts';
import type { SelectedRows } from './use-selection.ts';
import { rowCount, useVirtualGrid } from './use-virtual-grid.ts';

const EDITOR_WIDTH = 340;
const EDGE = 8;

interface GridViewportProps {
  scroller: RefObject<HTMLDivElement | null>;
  table: TableInfo;
  selection: Selection;
  loading: RowLoading;
  grid: GridColumns;
  chosen: SelectedRows;
  changes: Changes;
  isReadOnly: boolean;
  onConflict(conflict: Conflict): void;
  /** Takes the place of the rows if there are none. */
  children: ReactNode;
}

/** The element with the role `grid` has the focus, and names the active cell. */
export function GridViewport(props: GridViewportProps) {
  const { scroller, table, selection, loading, grid, chosen, isReadOnly, children } = props;
  const { window, show } = loading;
  const isEmpty = rowCount(window) === 0;
  const texts = useTexts(adminTablesTexts).grid;
  const isSelectable = !isReadOnly;
  const virtual = useVirtualGrid(scroller, { table, grid, window });
  const events = useGridEvents({ scroller, table, selection, window, virtual, chosen, isSelectable });
  const { active, editing, closeEditor } = events;
  const items = virtual.rows.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  useEffect(() => show(from, to), [show, from, to]);
  const rowTexts = useMemo(
    () => ({ null: texts.null, empty: texts.empty, loading: texts.loading, selectRow: texts.selectRow }),
    [texts],
  );
  const isRendered =
    (active.row === -1 || (active.row >= from && active.row <= to)) &&
    (active.column === -1 || virtual.layout.some(({ place }) => place === active.column));

  return (
    <div className="card overflow-hidden has-[[role=grid]:focus-visible]:outline-2 has-[[role=grid]:focus-visible]:outline-focus">
      <div
        ref={scroller}
        className={`relative overflow-auto overscroll-contain ${isEmpty ? '' : 'max-h-[min(70dvh,48rem)] min-h-72'}`}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: cells of virtual rows have positions, which tables do not allow */}
        <div
          ref={events.element}
          role="grid"
          tabIndex={0}
          aria-label={texts.label(`${table.schema}.${table.name}`)}
          aria-description={texts.keys}
          aria-rowcount={window.isComplete ? window.known + 1 : -1}
          aria-colcount={virtual.columnCount + 1}
          aria-multiselectable={isSelectable}
          aria-readonly={isReadOnly}
          aria-activedescendant={isRendered ? cellId(active) : undefined}
          {...events.handlers}
          className="relative outline-none"
          style={{ height: virtual.rows.getTotalSize(), width: virtual.width }}
        >
          <GridHead
            table={table}
            selection={selection}
            grid={grid}
            layout={virtual.layout}
            width={virtual.width}
            active={active.row === -1 ? active.column : undefined}
            isSelectable={isSelectable}
            areAllSelected={chosen.rows.size > 0 && chosen.rows.size >= window.known}
          />
          {items.map(({ index, start }) => {
            const row = rowAt(window, index);
            return (
              <GridRowView
                key={index}
                row={row}
                index={index}
                start={start}
                width={virtual.width}
                layout={virtual.layout}
                active={active.row === index ? active.column : undefined}
                isSelected={row !== undefined && chosen.rows.has(rowId(row))}
                isSelectable={isSelectable}
                texts={rowTexts}
              />
            );
          })}
        </div>
        {editing && <OpenEditor {...props} editing={editing} onClose={closeEditor} />}
      </div>
      {isEmpty && window.isComplete && children}
    </div>
  );
}

function OpenEditor(props: GridViewportProps & { editing: Editing; onClose(step?: 1 | -1): void }) {
  const { scroller, table, changes, isReadOnly, onConflict, editing, onClose } = props;
  const { values, of, cell, row, column } = editing;
  return (
    <CellEditor
      key={`${row}-${column}`}
      table={table}
      column={of}
      row={values}
      value={values.cells[cell] ?? null}
      isCut={values.cut.includes(cell) && table.key.length > 0}
      isReadOnly={isReadOnly || of.isGenerated}
      place={placeOf(scroller.current, editing)}
      save={async (value, xmin) => {
        const result = await changes.update({ key: values.key, xmin }, { [of.name]: value });
        if (result.kind === 'conflict') onConflict(result.conflict);
        return result;
      }}
      onClose={onClose}
    />
  );
}

/** The editor stays within the visible part of the grid. */
function placeOf(scroller: HTMLDivElement | null, { top, left, width }: Editing) {
  const { scrollLeft = 0, scrollTop = 0, clientWidth = 0, clientHeight = 0 } = scroller ?? {};
  const size = Math.min(Math.max(width, EDITOR_WIDTH), clientWidth - 2 * EDGE);
  const isLow = top - scrollTop > clientHeight / 2;
  const maxLeft = scrollLeft + clientWidth - size - EDGE;
  return {
    left: Math.max(Math.min(left, maxLeft), scrollLeft + EDGE),
    width: size,
    top: top + (isLow ? ROW_HEIGHT : 0),
    transform: isLow ? 'translateY(-100%)' : 'none',
  };
}
