/** The chosen relation: its facts, filters and rows. Without scripts, its rows are a plain table with links. */
import { lazy, Suspense } from 'react';
import { Resolved } from '../../../lib/resolved.tsx';
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts';
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { RowPage } from './grid-rows.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { StaticRows } from './static-rows.tsx';
import { type Selection, selectionQuery, tablesPath } from './table-address.ts';
import { readOnlyReason, type TableInfo } from './table-model.ts';
import type { FirstPage } from './tables.server.ts';

const DataGrid = lazy(() => import('./grid/data-grid.tsx').then((module) => ({ default: module.DataGrid })));

/** `first` may be pending. */
export function TablePane(props: {
  table: TableInfo;
  first: FirstPage | Promise<FirstPage>;
  selection: Selection;
}) {
  const { table, first, selection } = props;
  const { toolbar } = useTexts(adminTablesTexts);
  return (
    <section aria-label={`${table.schema}.${table.name}`} className="grid min-w-0 grid-cols-1 gap-3">
      <Facts table={table} />
      <FilterBar key={selectionQuery(selection).toString()} table={table} selection={selection} />
      {selection.after !== undefined && (
        <p className="text-small text-ink-muted">
          {toolbar.fromPosition}{' '}
          <TextLink to={tablesPath({ ...selection, after: undefined })}>{toolbar.firstRows}</TextLink>
        </p>
      )}
      <Resolved data={first} fallback={<RowsLoading />}>
        {(page) =>
          'problem' in page ? (
            <ProblemAlert problem={page.problem} />
          ) : (
            <Rows table={table} first={page} selection={selection} />
          )
        }
      </Resolved>
    </section>
  );
}

function Facts({ table }: { table: TableInfo }) {
  const texts = useTexts(adminTablesTexts);
  const { rls, readOnly, list } = texts;
  const reason = readOnlyReason(table);
  const hasRls = table.kind === 'table' || table.kind === 'partitioned';
  return (
    <header className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 text-title font-semibold [overflow-wrap:anywhere]">
          {table.schema}.{table.name}
        </h2>
        {table.kind !== 'table' && <Badge>{list.kinds[table.kind]}</Badge>}
        {hasRls && (
          <span title={table.hasRls ? rls.onText : rls.offText}>
            <Badge tone={table.hasRls ? 'primary' : 'warning'}>{table.hasRls ? rls.on : rls.off}</Badge>
          </span>
        )}
        {reason && <Badge tone="info">{readOnly.badge}</Badge>}
      </div>
      {reason && (
        <Alert kind="info">
          {reason === 'no-privilege' ? readOnly[reason](table.owner) : readOnly[reason]}
        </Alert>
      )}
    </header>
  );
}

function Rows({ table, first, selection }: { table: TableInfo; first: RowPage; selection: Selection }) {
  const isHydrated = useIsHydrated();
  const plain = <StaticRows table={table} page={first} selection={selection} />;
  if (!isHydrated) return plain;
  // Another selection or another first page starts with new rows.
  const key = selectionQuery(selection).toString();
  return (
    <Suspense fallback={plain}>
      <DataGrid key={key} table={table} first={first} selection={selection} />
    </Suspense>
  );
}

function RowsLoading() {
  const { grid } = useTexts(adminTablesTexts);
  return (
    <Loading label={grid.loading}>
      <TableSkeleton />
    </Loading>
  );
}
