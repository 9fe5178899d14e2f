/** Actions on rows: inserting, importing and exporting, and those on the selected rows. */
import { withBase } from '../../../../lib/page/base-path.ts';
import { usePage } from '../../../../lib/page/page-context.tsx';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button, buttonClass } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { useToast } from '../../../../ui/use-toast.ts';
import { EXPORT, MAX_DELETED_ROWS } from '../changes.ts';
import type { GridRow } from '../grid-rows.ts';
import { useProblemText } from '../problem-alert.tsx';
import { SqlRefusal } from '../sql-refusal.ts';
import { type Selection, selectionQuery } from '../table-address.ts';
import type { TableInfo } from '../table-model.ts';
import { fetchValue } from '../tables-client.ts';
import { ColumnMenu } from './column-menu.tsx';
import type { CopiedRow, OpenDialog } from './row-dialogs.tsx';
import type { GridColumns } from './use-grid-columns.ts';
import type { SelectedRows } from './use-selection.ts';

interface GridToolbarProps {
  table: TableInfo;
  selection: Selection;
  grid: GridColumns;
  chosen: SelectedRows;
  canInsert: boolean;
  onOpen(dialog: OpenDialog): void;
  onReload(): void;
}

/** Shows the actions that the relation allows. */
export function GridToolbar(props: GridToolbarProps) {
  const { table, selection, grid, chosen, canInsert, onOpen, onReload } = props;
  const { toolbar } = useTexts(adminTablesTexts);
  const { baseURL } = usePage().config;
  const exported = withBase(`${EXPORT}?${selectionQuery({ ...selection, after: undefined })}`, baseURL);

  return (
    <div role="toolbar" aria-label={toolbar.label} className="flex flex-wrap items-center gap-2">
      {canInsert && (
        <>
          <Button
            size="small"
            variant="primary"
            onClick={() => onOpen({ kind: 'insert', copied: undefined })}
          >
            <Icon name="lucide:plus" />
            {toolbar.insert}
          </Button>
          <Button size="small" onClick={() => onOpen({ kind: 'import' })}>
            <Icon name="lucide:upload" />
            {toolbar.import}
          </Button>
        </>
      )}
      <a href={exported} download className={buttonClass({ size: 'small' })}>
        <Icon name="lucide:download" />
        {toolbar.export}
      </a>
      <ColumnMenu grid={grid} />
      <Button size="small" onClick={onReload}>
        <Icon name="lucide:refresh-cw" />
        {toolbar.reload}
      </Button>
      {chosen.rows.size > 0 && <SelectionActions table={table} chosen={chosen} onOpen={onOpen} />}
    </div>
  );
}

function SelectionActions(props: {
  table: TableInfo;
  chosen: SelectedRows;
  onOpen(dialog: OpenDialog): void;
}) {
  const { table, chosen, onOpen } = props;
  const texts = useTexts(adminTablesTexts);
  const toast = useToast();
  const describe = useProblemText();
  const rows = [...chosen.rows.values()];
  const [first] = rows;

  async function duplicate(row: GridRow) {
    try {
      onOpen({ kind: 'insert', copied: await wholeValues(table, row) });
    } catch (error) {
      if (!(error instanceof SqlRefusal)) throw error;
      toast.add({ kind: 'error', title: texts.notices.failed, description: describe(error.problem) });
    }
  }
  function remove() {
    if (rows.length > MAX_DELETED_ROWS) toast.add({ kind: 'error', title: texts.remove.tooMany });
    else onOpen({ kind: 'delete', rows });
  }

  return (
    <>
      <span role="status" className="ms-auto text-small text-ink-muted">
        {texts.toolbar.selected(rows.length)}
      </span>
      {rows.length === 1 && first && (
        <Button size="small" onClick={() => void duplicate(first)}>
          {texts.toolbar.duplicate}
        </Button>
      )}
      <Button size="small" variant="danger" onClick={remove}>
        {texts.toolbar.delete}
      </Button>
      <Button size="small" variant="ghost" onClick={chosen.clear}>
        {texts.toolbar.clearSelection}
      </Button>
    </>
  );
}

/** The grid has only the beginnings of long values. */
async function wholeValues(table: TableInfo, row: GridRow): Promise<CopiedRow> {
  const of = { schema: table.schema, table: table.name };
  const values = table.columns.map(async ({ name }, index) => {
    const shown = row.cells[index] ?? null;
    if (!row.cut.includes(index)) return [name, shown] as const;
    return [name, (await fetchValue(of, row.key, name))?.value ?? null] as const;
  });
  return Object.fromEntries(await Promise.all(values));
}
