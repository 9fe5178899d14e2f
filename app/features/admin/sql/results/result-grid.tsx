// biome-ignore-all lint/a11y/useSemanticElements: virtual rows and columns have positions, which elements of tables ignore
// biome-ignore-all lint/a11y/useFocusableInteractive: of all cells, only that with the roving focus is focusable
/** The rows of a result: only visible cells are in the document, so ten thousand rows and hundreds of columns scroll. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatNumber } from '../../../../lib/format/number.ts';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { kindOf } from '../chart/chart-data.ts';
import { type CellPosition, moveCell } from './cell-position.ts';
import { columnWidths } from './column-widths.ts';
import { ValueDialog } from './value-dialog.tsx';

/** The rows to show. Values are PostgreSQL's texts. */
interface GridSource {
  columns: readonly { name: string; type: string }[];
  rows: readonly (readonly (string | null)[])[];
}

const ROW_PX = 30;
const HEAD_PX = 46;
const NUMBER_PX = 60;
const OVERSCAN = 8;
const MAX_SHOWN_CHARACTERS = 300;

/** A grid with a roving focus (WAI-ARIA Authoring Practices, "Grid"). */
export function ResultGrid({ columns, rows }: GridSource) {
  const texts = useTexts(sqlResultTexts);
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 });
  const [shown, setShown] = useState<CellPosition>();
  const { rowRange, columnRange } = useRanges(scroller, { columns, rows });
  const size = { rows: rows.length, columns: columns.length };
  const focus = useCellFocus(scroller);
  const copy = useCopy();

  const moveTo = (cell: CellPosition) => {
    setActive(cell);
    rowRange.scrollToIndex(cell.row);
    columnRange.scrollToIndex(cell.column);
    focus.request();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isFast = event.ctrlKey || event.metaKey;
    if (isFast && event.key.toLowerCase() === 'c' && window.getSelection()?.isCollapsed) {
      event.preventDefault();
      return copy(rows[active.row]?.[active.column] ?? '');
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return setShown(active);
    }
    const cell = moveCell(active, { key: event.key, isFast }, size);
    if (!cell) return;
    event.preventDefault();
    moveTo(cell);
  };

  const width = columnRange.getTotalSize();
  return (
    <>
      <p className="sr-only" id="sql-grid-keys">
        {texts.grid.keys}
      </p>
      <div
        ref={scroller}
        role="grid"
        aria-label={texts.grid.label}
        aria-describedby="sql-grid-keys"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        onKeyDown={onKeyDown}
        tabIndex={-1}
        className="card relative max-h-[32rem] overflow-auto font-mono text-small"
      >
        <GridHead columns={columns} range={columnRange} width={width} />
        <div
          role="rowgroup"
          className="relative"
          style={{ height: rowRange.getTotalSize() - HEAD_PX, width }}
        >
          {rowRange.getVirtualItems().map(({ index, start }) => (
            <GridRow
              key={index}
              index={index}
              start={start}
              columns={columns}
              row={rows[index] ?? []}
              range={columnRange}
              activeColumn={active.row === index ? active.column : undefined}
              onActivate={(column) => {
                setActive({ row: index, column });
                focus.request();
              }}
              onOpen={(column) => setShown({ row: index, column })}
            />
          ))}
        </div>
      </div>
      {shown && (
        <ValueDialog
          column={columns[shown.column] ?? { name: '', type: '' }}
          value={rows[shown.row]?.[shown.column] ?? null}
          onClose={() => {
            setShown(undefined);
            focus.request();
          }}
        />
      )}
    </>
  );
}

/** Visible rows and columns. */
function useRanges(scroller: { current: HTMLDivElement | null }, { columns, rows }: GridSource) {
  const widths = useMemo(() => columnWidths(columns, rows), [columns, rows]);
  const rowRange = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  });
  const columnRange = useVirtualizer({
    count: columns.length,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 0,
    overscan: 2,
    paddingStart: NUMBER_PX,
    scrollPaddingStart: NUMBER_PX,
  });
  return { rowRange, columnRange };
}

type ColumnRange = Virtualizer<HTMLDivElement, Element>;

function GridHead(props: { columns: GridSource['columns']; range: ColumnRange; width: number }) {
  const { columns, range, width } = props;
  const texts = useTexts(sqlResultTexts);
  return (
    <div role="rowgroup" className="sticky top-0 z-(--layer-stuck) bg-sunken" style={{ width }}>
      <div role="row" aria-rowindex={1} className="relative border-b border-line" style={{ height: HEAD_PX }}>
        <div
          role="columnheader"
          aria-colindex={1}
          className="absolute inset-y-0 px-3 py-2 text-caption text-ink-muted"
          style={{ width: NUMBER_PX }}
        >
          {texts.grid.rowNumber}
        </div>
        {range.getVirtualItems().map(({ index, start, size }) => (
          <div
            key={index}
            role="columnheader"
            aria-colindex={index + 2}
            className="absolute inset-y-0 overflow-hidden px-3 py-1 text-ellipsis whitespace-nowrap"
            style={{ insetInlineStart: start, width: size }}
          >
            <span className="block overflow-hidden text-ellipsis font-medium">{columns[index]?.name}</span>
            <span className="block overflow-hidden text-caption text-ellipsis text-ink-muted">
              {columns[index]?.type}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Props of {@link GridRow}. */
interface GridRowProps {
  index: number;
  /** Offset from the top in pixels. */
  start: number;
  columns: GridSource['columns'];
  row: readonly (string | null)[];
  range: ColumnRange;
  activeColumn: number | undefined;
  onActivate(column: number): void;
  onOpen(column: number): void;
}

function GridRow({ index, start, columns, row, range, activeColumn, onActivate, onOpen }: GridRowProps) {
  const language = useLanguage();
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="absolute inset-x-0 border-b border-line hover:bg-hover"
      style={{ height: ROW_PX, transform: `translateY(${start - HEAD_PX}px)` }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className="absolute inset-y-0 px-3 py-1 text-caption leading-5 text-ink-muted tabular-nums"
        style={{ width: NUMBER_PX }}
      >
        {formatNumber(index + 1, language)}
      </div>
      {range.getVirtualItems().map((column) => (
        <GridCell
          key={column.index}
          value={row[column.index] ?? null}
          isNumber={kindOf(columns[column.index]?.type ?? '') === 'number'}
          position={column}
          isActive={activeColumn === column.index}
          onActivate={() => onActivate(column.index)}
          onOpen={() => onOpen(column.index)}
        />
      ))}
    </div>
  );
}

/** Props of {@link GridCell}. */
interface GridCellProps {
  value: string | null;
  isNumber: boolean;
  position: { index: number; start: number; size: number };
  isActive: boolean;
  onActivate(): void;
  onOpen(): void;
}

function GridCell({ value, isNumber, position, isActive, onActivate, onOpen }: GridCellProps) {
  const texts = useTexts(sqlResultTexts);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      role="gridcell"
      aria-colindex={position.index + 2}
      data-active={isActive || undefined}
      tabIndex={isActive ? 0 : -1}
      onClick={onActivate}
      onDoubleClick={onOpen}
      className={`absolute inset-y-0 overflow-hidden px-3 py-1 leading-5 text-ellipsis whitespace-pre
        -outline-offset-2! data-active:bg-info-wash ${isNumber ? 'text-end tabular-nums' : ''}`}
      style={{ insetInlineStart: position.start, width: position.size }}
    >
      {value === null ? (
        <span className="text-ink-muted italic">{texts.grid.null}</span>
      ) : (
        value.slice(0, MAX_SHOWN_CHARACTERS).replaceAll('\n', '↵')
      )}
    </div>
  );
}

/** Focuses the active cell after it was rendered, if that was requested. */
function useCellFocus(scroller: { current: HTMLDivElement | null }) {
  const isRequested = useRef(false);
  useEffect(() => {
    if (!isRequested.current) return;
    // The virtual rows of the new place are rendered with the next scroll event.
    let frames = 0;
    let frame = requestAnimationFrame(function find() {
      const cell = scroller.current?.querySelector<HTMLElement>('[data-active]');
      if (cell) {
        isRequested.current = false;
        // Also scrolls the page, whose window may show only a part of the grid.
        cell.focus();
      } else if (frames++ < MAX_FOCUS_FRAMES) frame = requestAnimationFrame(find);
    });
    return () => cancelAnimationFrame(frame);
  });
  return {
    request: () => {
      isRequested.current = true;
    },
  };
}

const MAX_FOCUS_FRAMES = 30;

function useCopy(): (text: string) => void {
  const texts = useTexts(sqlResultTexts);
  const { add } = useToast();
  return (text) => {
    navigator.clipboard.writeText(text).then(
      () => add({ kind: 'success', title: texts.grid.copied }),
      () => add({ kind: 'error', title: texts.grid.copyFailed }),
    );
  };
}
