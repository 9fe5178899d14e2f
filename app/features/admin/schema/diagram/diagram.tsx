/** The diagram of a schema: a drawing, and the same tables as a list. */
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { Form, Link } from 'react-router';
import { Optional } from '../../../../lib/optional.tsx';
import { useIsHydrated } from '../../../../lib/use-is-hydrated.ts';
import { adminDiagramTexts } from '../../../../texts/admin-diagram.ts';
import { adminSchemaTexts } from '../../../../texts/admin-schema.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Page } from '../../../../ui/page.tsx';
import { PageHeader } from '../../../../ui/page-header.tsx';
import { Select } from '../../../../ui/select.tsx';
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx';
import { TableTabs } from '../../shared/table-tabs.tsx';
import { structurePath } from '../selection.ts';
import type { DiagramView } from './diagram.server.ts';
import { type DiagramTable, findTables } from './diagram-tables.ts';

const Canvas = lazy(() => import('./canvas.tsx'));

type Shown = DiagramView & { kind: 'diagram' };

/** A page with the drawing and the list. */
export function Diagram({ view }: { view: Shown }) {
  const diagram = useTexts(adminDiagramTexts);
  const { schema, table, tables, isTruncated } = view;
  const [search, setSearch] = useState('');
  const found = findTables(tables, useDeferredValue(search));
  return (
    <Page>
      <PageHeader title={diagram.title} description={diagram.description(schema)} />
      <TableTabs schema={schema} table={table || undefined} />
      <div className="grid items-end gap-3 sm:grid-cols-2">
        <SchemaSelect {...view} />
        <Field
          type="search"
          label={diagram.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          liveHint={search === '' ? '' : diagram.found(found.length)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      {isTruncated && <Alert kind="info">{diagram.truncated(tables.length)}</Alert>}
      {tables.length === 0 ? (
        <div className="card">
          <EmptyState icon="info" title={diagram.empty} text={diagram.emptyText} />
        </div>
      ) : (
        <>
          <section aria-label={diagram.canvas} className="card h-[32rem] max-h-[80dvh] overflow-hidden">
            <LazyCanvas schema={schema} tables={tables} found={found} selected={table} />
          </section>
          <TableList schema={schema} tables={found} />
        </>
      )}
    </Page>
  );
}

function SchemaSelect({ schema, schemas }: Pick<Shown, 'schema' | 'schemas'>) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <Form method="get" key={schema} className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
      <Select name="schema" label={texts.schema} defaultValue={schema}>
        {schemas.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <Button type="submit" size="large">
        {texts.show}
      </Button>
    </Form>
  );
}

interface LazyCanvasProps {
  schema: string;
  tables: readonly DiagramTable[];
  found: readonly DiagramTable[];
  selected: string;
}

function LazyCanvas({ found, ...props }: LazyCanvasProps) {
  const diagram = useTexts(adminDiagramTexts);
  const loading = (
    <Loading label={diagram.loading}>
      <Skeleton className="m-4 h-72" />
    </Loading>
  );
  // The drawing measures its place, so the server renders none.
  if (!useIsHydrated())
    return (
      <noscript>
        <p className="p-4 text-body text-ink-muted">{diagram.scripts}</p>
      </noscript>
    );
  return (
    <Optional fallback={<p className="p-4 text-body text-ink-muted">{diagram.scripts}</p>}>
      <Suspense fallback={loading}>
        <Canvas {...props} found={new Set(found.map(({ name }) => name))} />
      </Suspense>
    </Optional>
  );
}

function TableList({ schema, tables }: { schema: string; tables: readonly DiagramTable[] }) {
  const diagram = useTexts(adminDiagramTexts);
  return (
    <section aria-label={diagram.list} className="card">
      <ul className="grid divide-y divide-line">
        {tables.map(({ name, links }) => (
          <li
            key={name}
            className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 py-2.5 text-body"
          >
            <Link
              to={structurePath({ schema, table: name })}
              className="font-medium underline-offset-4 hover:underline"
            >
              {name}
            </Link>
            <span className="text-small text-ink-muted">
              {links.length > 0 ? diagram.refersTo(targetsOf(links)) : diagram.noLinks}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function targetsOf(links: DiagramTable['links']): string {
  return [...new Set(links.map(({ target }) => target))].join(', ');
}
