/** Rows as a plain table, for visitors without scripts, and until the grid is loaded. */
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { TextLink } from '../../../ui/text-link.tsx';
import { EmptyRows } from './empty-rows.tsx';
import type { RowPage } from './grid-rows.ts';
import { formatPosition } from './position.ts';
import { type Selection, tablesPath } from './table-address.ts';
import type { TableInfo } from './table-model.ts';

/** The rows of one page, with a link to the next ones. */
export function StaticRows({
  table,
  page,
  selection,
}: {
  table: TableInfo;
  page: RowPage;
  selection: Selection;
}) {
  const { grid, toolbar } = useTexts(adminTablesTexts);
  const last = page.rows.at(-1);
  const label = grid.label(`${table.schema}.${table.name}`);
  if (page.rows.length === 0) {
    return (
      <div className="card">
        <EmptyRows selection={selection} />
      </div>
    );
  }
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className="card max-h-[70dvh] overflow-auto">
        <table className="border-separate border-spacing-0 text-small">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {table.columns.map(({ name, isSortable }) => (
                <th key={name} scope="col" className="border-b border-line px-3 py-2 text-start font-medium">
                  {isSortable ? (
                    <TextLink
                      to={tablesPath({ ...selection, after: undefined, sort: nextSort(selection, name) })}
                    >
                      {name}
                    </TextLink>
                  ) : (
                    name
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
              <tr key={index}>
                {table.columns.map(({ name }, column) => (
                  <td key={name} className="max-w-80 truncate border-b border-line px-3 py-1.5">
                    {row.cells[column] ?? <span className="text-ink-muted">{grid.null}</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {page.hasMore && last && table.key.length > 0 && (
        <TextLink to={tablesPath({ ...selection, after: formatPosition(last.position) })} className="w-fit">
          {toolbar.nextRows}
        </TextLink>
      )}
    </div>
  );
}

/** Returns the next order when a header is chosen: ascending, descending, by key. */
export function nextSort({ sort }: Selection, column: string): Selection['sort'] {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? undefined : { column, isDescending: true };
}
