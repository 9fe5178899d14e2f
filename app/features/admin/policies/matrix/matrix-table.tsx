/** The table of the matrix. Only the visible rows are in the document, since a database may have thousands of tables. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useRef } from 'react';
import { Link } from 'react-router';
import { useIsHydrated } from '../../../../lib/use-is-hydrated.ts';
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Badge } from '../../../../ui/badge.tsx';
import type { AccessState } from '../access/access.ts';
import { cellsOf, type MatrixRow } from '../access/matrix.ts';
import { type RoleInfo, VERBS } from '../access/model.ts';
import { tablePoliciesPath } from '../selection.ts';

const ROW_HEIGHT = 45;
const OVERSCAN = 12;
/** Rows in the document without scripts; the filter finds others. */
const FIRST_ROWS = 60;

const HEAD =
  'border-b border-line bg-sunken px-2 py-1.5 text-caption font-medium whitespace-nowrap text-ink-muted';
const STICKY = 'sticky start-0 z-1 max-w-44 min-w-44 sm:max-w-80 sm:min-w-64';

/** Shows a row for each table and view. */
export function MatrixTable({ rows, roles }: { rows: readonly MatrixRow[]; roles: readonly RoleInfo[] }) {
  const { tables } = useTexts(policiesTexts);
  const scroller = useRef<HTMLElement>(null);
  const { shown, before, after } = useVisibleRows(rows, scroller);
  const columns = 1 + roles.length * VERBS.length;
  return (
    <section
      ref={scroller}
      aria-label={tables}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
      tabIndex={0}
      className="card relative max-h-[70dvh] overflow-auto"
    >
      <table
        aria-rowcount={rows.length + 2}
        className="w-full border-separate border-spacing-0 text-body"
        onKeyDown={moveByArrows}
      >
        <caption className="sr-only">{tables}</caption>
        <MatrixHead roles={roles} />
        <tbody>
          <Spacer height={before} columns={columns} />
          {shown.map((row) => (
            <MatrixLine key={`${row.schema}.${row.name}`} row={row} roles={roles} />
          ))}
          <Spacer height={after} columns={columns} />
        </tbody>
      </table>
    </section>
  );
}

function useVisibleRows(rows: readonly MatrixRow[], scroller: React.RefObject<HTMLElement | null>) {
  const isHydrated = useIsHydrated();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const [first] = items;
  const last = items.at(-1);
  if (!isHydrated || !first || !last) return { shown: rows.slice(0, FIRST_ROWS), before: 0, after: 0 };
  return {
    shown: rows.slice(first.index, last.index + 1),
    before: first.start,
    after: virtualizer.getTotalSize() - last.end,
  };
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function MatrixHead({ roles }: { roles: readonly RoleInfo[] }) {
  const { table, verbs } = useTexts(policiesTexts);
  return (
    <thead className="sticky top-0 z-(--layer-stuck)">
      <tr>
        <th rowSpan={2} scope="col" className={`${HEAD} ${STICKY} bg-sunken px-4 text-start align-bottom`}>
          {table}
        </th>
        {roles.map(({ name }) => (
          <th
            key={name}
            scope="colgroup"
            colSpan={VERBS.length}
            className={`${HEAD} border-s text-center font-mono`}
          >
            {name}
          </th>
        ))}
      </tr>
      <tr>
        {roles.map(({ name }) =>
          VERBS.map((verb, index) => (
            <th
              key={`${name} ${verb}`}
              scope="col"
              className={`${HEAD} text-center ${index === 0 ? 'border-s' : ''}`}
            >
              {verbs[verb]}
            </th>
          )),
        )}
      </tr>
    </thead>
  );
}

function MatrixLine({ row, roles }: { row: MatrixRow; roles: readonly RoleInfo[] }) {
  const texts = useTexts(policiesTexts);
  const canHavePolicies = row.kind === 'table' || row.kind === 'partitioned table';
  return (
    <tr className="group">
      <th
        scope="row"
        className={`${STICKY} border-b border-line bg-surface px-4 text-start font-normal group-last:border-b-0 group-hover:bg-surface-hover`}
      >
        <span className="flex h-11 items-center gap-2">
          <Link
            to={tablePoliciesPath(row)}
            data-row-link=""
            className="min-w-0 truncate rounded-sm font-medium hover:underline"
            title={`${row.schema}.${row.name}`}
          >
            <span className="font-normal text-ink-muted">{row.schema}.</span>
            {row.name}
          </Link>
          {canHavePolicies && !row.hasRls && <Badge tone="warning">{texts.rlsOff}</Badge>}
          {!canHavePolicies && <Badge>{texts.kinds[row.kind]}</Badge>}
        </span>
      </th>
      {roles.map((role, index) =>
        cellsOf(row, index).map(({ state, isPartial }, verb) => {
          const name = VERBS[verb] ?? 'select';
          const words = isPartial ? `${texts.states[state]} (${texts.partial})` : texts.states[state];
          return (
            <td
              key={`${role.name} ${name}`}
              title={texts.cell(role.name, texts.verbs[name], words)}
              className={`border-b border-line px-2 text-center group-last:border-b-0 group-hover:bg-hover ${verb === 0 ? 'border-s' : ''}`}
            >
              <StateMark state={state} isPartial={isPartial} />
              <span className="sr-only">{words}</span>
            </td>
          );
        }),
      )}
    </tr>
  );
}

const MARKS: Readonly<Record<AccessState, { sign: string; tone: string }>> = {
  all: { sign: '●', tone: 'text-warning-ink' },
  policy: { sign: '◐', tone: 'text-primary-ink' },
  invoker: { sign: '◇', tone: 'text-info-ink' },
  'no-grant': { sign: '–', tone: 'text-ink-muted' },
  'no-policy': { sign: '×', tone: 'text-danger-ink' },
};

/** The sign of a state; its meaning must be next to it. */
export function StateMark({ state, isPartial }: { state: AccessState; isPartial: boolean }) {
  const { sign, tone } = MARKS[state];
  return (
    <span aria-hidden="true" className={`inline-block w-4 text-center ${tone}`}>
      {sign}
      {isPartial && <sup>*</sup>}
    </span>
  );
}

/** Arrow keys move between the tables, and Home and End to the first and last visible one. */
function moveByArrows(event: KeyboardEvent<HTMLTableElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-row-link]')];
  const current = links.indexOf(event.target as HTMLElement);
  const places: Record<string, number> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: links.length - 1,
  };
  const place = places[event.key];
  const next = current < 0 || place === undefined ? undefined : links[place];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
