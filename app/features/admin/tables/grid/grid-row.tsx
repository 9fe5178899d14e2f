/** A row of the grid. It is rendered again only if its own values change, so that scrolling stays smooth. */
import { memo } from 'react';
import type { GridRow as Row } from '../grid-rows.ts';
import { cellId, cellRole, type PlacedColumn, ROW_HEIGHT, rowRole, SELECT_WIDTH } from './grid-layout.ts';

/** Texts that rows show. */
interface RowTexts {
  null: string;
  empty: string;
  loading: string;
  selectRow: (row: string) => string;
}

interface GridRowProps {
  /** Undefined while the row is loading. */
  row: Row | undefined;
  index: number;
  start: number;
  width: number;
  layout: readonly PlacedColumn[];
  /** Place of the active column; undefined if another row is active. */
  active: number | undefined;
  isSelected: boolean;
  isSelectable: boolean;
  texts: RowTexts;
}

/** Clicks are handled by the grid, by the data attributes. */
export const GridRowView = memo(function GridRowView(props: GridRowProps) {
  const { row, index, start, width, layout, active, isSelected, isSelectable, texts } = props;
  return (
    <div
      {...rowRole(index + 2, isSelectable ? isSelected : undefined)}
      data-row={index}
      className={`absolute top-0 left-0 border-b border-line outline-none ${isSelected ? 'bg-primary-wash' : 'hover:bg-hover'}`}
      style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT, width }}
    >
      <div
        {...cellRole(1)}
        id={cellId({ row: index, column: -1 })}
        data-column={-1}
        className={`sticky left-0 z-1 flex h-full items-center justify-center border-e border-line bg-surface ${ring(active === -1)}`}
        style={{ width: SELECT_WIDTH }}
      >
        {row && isSelectable && (
          <input
            type="checkbox"
            readOnly
            checked={isSelected}
            tabIndex={-1}
            data-select={index}
            aria-label={texts.selectRow(row.key.join(', '))}
            className="size-4 accent-(--ui-primary)"
          />
        )}
      </div>
      {layout.map(({ place, index: cell, column, start: left, width: size }) => (
        <div
          key={place}
          {...cellRole(place + 2)}
          id={cellId({ row: index, column: place })}
          data-column={place}
          className={`absolute top-0 truncate border-e border-line px-2.5 py-1.5 text-small ${
            column.kind === 'number' ? 'text-end tabular-nums' : ''
          } ${ring(active === place)}`}
          style={{ left, width: size, height: ROW_HEIGHT }}
        >
          {row ? (
            <CellValue value={row.cells[cell] ?? null} isCut={row.cut.includes(cell)} texts={texts} />
          ) : (
            place === 0 && texts.loading
          )}
        </div>
      ))}
    </div>
  );
});

function ring(isActive: boolean): string {
  return isActive ? 'outline-2 -outline-offset-2 outline-focus' : '';
}

/** An empty text and null look different. Line breaks would hide the rest of the value. */
function CellValue({ value, isCut, texts }: { value: string | null; isCut: boolean; texts: RowTexts }) {
  if (value === null) return <span className="text-ink-muted italic">{texts.null}</span>;
  if (value === '') return <span className="text-ink-muted">{`“” ${texts.empty}`}</span>;
  return isCut ? `${value}…` : value;
}
