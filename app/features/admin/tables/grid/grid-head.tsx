/** The header of the grid: names and types of columns, their order and widths. */
import type { KeyboardEvent } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Icon } from '../../../../ui/icon.tsx';
import type { Selection } from '../table-address.ts';
import type { ForeignKey, TableInfo } from '../table-model.ts';
import { cellId, HEAD_HEIGHT, headRole, type PlacedColumn, rowRole, SELECT_WIDTH } from './grid-layout.ts';
import type { GridColumns } from './use-grid-columns.ts';

const STEP = 24;

interface GridHeadProps {
  table: TableInfo;
  selection: Selection;
  grid: GridColumns;
  layout: readonly PlacedColumn[];
  width: number;
  /** Place of the active column; undefined if the header is not active. */
  active: number | undefined;
  isSelectable: boolean;
  areAllSelected: boolean;
}

/** The first row. It stays visible while the rows scroll. */
export function GridHead(props: GridHeadProps) {
  const { table, selection, grid, layout, width, active, isSelectable, areAllSelected } = props;
  const texts = useTexts(adminTablesTexts).grid;
  return (
    <div
      {...rowRole(1)}
      data-row={-1}
      className="sticky top-0 z-2 bg-sunken outline-none"
      style={{ height: HEAD_HEIGHT, width }}
    >
      <div
        {...headRole(1, { label: texts.select })}
        id={cellId({ row: -1, column: -1 })}
        data-column={-1}
        className={`sticky left-0 z-1 flex h-full items-center justify-center border-e border-b border-line bg-sunken ${ring(active === -1)}`}
        style={{ width: SELECT_WIDTH }}
      >
        {isSelectable && (
          <input
            type="checkbox"
            readOnly
            checked={areAllSelected}
            tabIndex={-1}
            data-select-all
            aria-label={texts.selectAll}
            className="size-4 accent-(--ui-primary)"
          />
        )}
      </div>
      {layout.map((placed) => (
        <HeadCell
          key={placed.place}
          placed={placed}
          table={table}
          sort={selection.sort}
          grid={grid}
          isActive={active === placed.place}
        />
      ))}
    </div>
  );
}

function HeadCell(props: {
  placed: PlacedColumn;
  table: TableInfo;
  sort: Selection['sort'];
  grid: GridColumns;
  isActive: boolean;
}) {
  const { placed, table, sort, grid, isActive } = props;
  const { place, column, start, width } = placed;
  const texts = useTexts(adminTablesTexts).grid;
  const isSorted = sort?.column === column.name;
  const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none';
  const target = table.foreignKeys.find(({ columns }) => columns.includes(column.name));
  return (
    <div
      {...headRole(place + 2, column.isSortable ? { order } : {})}
      id={cellId({ row: -1, column: place })}
      data-column={place}
      title={titleOf(column.comment, target && texts.foreignKey(targetName(target)))}
      className={`absolute top-0 flex items-center gap-1.5 border-e border-b border-line px-2.5 text-small ${
        column.isSortable ? 'cursor-pointer hover:bg-hover' : ''
      } ${ring(isActive)}`}
      style={{ left: start, width, height: HEAD_HEIGHT }}
    >
      {table.key.includes(column.name) && <Icon name="passkey" className="size-3.5 text-ink-muted" />}
      {target && <Icon name="lucide:link" className="size-3.5 text-ink-muted" />}
      <span className="max-w-3/4 shrink-0 truncate font-medium">{column.name}</span>
      <span className="min-w-0 truncate text-caption text-ink-muted">{column.shownType}</span>
      {isSorted && (
        <Icon
          name={sort.isDescending ? 'lucide:arrow-down' : 'lucide:arrow-up'}
          className="ms-auto size-3.5"
        />
      )}
      <ResizeHandle grid={grid} name={column.name} width={width} label={texts.resize(column.name)} />
    </div>
  );
}

function ResizeHandle({
  grid,
  name,
  width,
  label,
}: {
  grid: GridColumns;
  name: string;
  width: number;
  label: string;
}) {
  const header = grid.getFlatHeaders().find(({ id }) => id === name);
  const handler = header?.getResizeHandler();
  function resize(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    event.stopPropagation();
    const change = event.key === 'ArrowLeft' ? -STEP : STEP;
    grid.setColumnSizing((sizes) => ({ ...sizes, [name]: Math.max(64, width + change) }));
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is no line
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      tabIndex={-1}
      data-resize
      onMouseDown={handler}
      onTouchStart={handler}
      onKeyDown={resize}
      className="absolute end-0 top-0 h-full w-2 cursor-col-resize touch-none hover:bg-line-strong"
    />
  );
}

function ring(isActive: boolean): string {
  return isActive ? 'outline-2 -outline-offset-2 outline-focus' : '';
}

function titleOf(...parts: (string | null | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(' – ') || undefined;
}

function targetName({ schema, table, references }: ForeignKey): string {
  return `${schema}.${table} (${references.join(', ')})`;
}
