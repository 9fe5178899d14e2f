/** The list of lines. With scripts, only visible rows are in the document, and older lines load at the end. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts';
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { LineRow } from './line-row.tsx';
import type { LogLine } from './log-lines.ts';
import { type LineSelection, linesPath } from './selection.ts';
import type { useOlderLines } from './use-older-lines.ts';

type Older = ReturnType<typeof useOlderLines>;

/** Props of the list. */
interface LineListProps {
  lines: readonly LogLine[];
  older: Older;
  selection: LineSelection;
}

const ROW_HEIGHT = 37;
const OVERSCAN_ROWS = 12;
/** Older lines are loaded when the end of the list is this close. */
const LOAD_AHEAD_ROWS = 40;
const BOX = 'card max-h-[70dvh] min-h-48 overflow-auto overscroll-contain';

/** Shows the lines, newest first. */
export function LineList(props: LineListProps) {
  const isHydrated = useIsHydrated();
  return isHydrated ? <VirtualList {...props} /> : <WholeList {...props} />;
}

function WholeList({ lines, older, selection }: LineListProps) {
  const { lines: label } = useTexts(adminLogsTexts);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
    <section className={BOX} tabIndex={0} aria-label={label}>
      <ul>
        {lines.map((line) => (
          <li key={line.id} className="border-b border-line">
            <LineRow line={line} />
          </li>
        ))}
      </ul>
      <ListEnd older={older} selection={selection} hasLines={lines.length > 0} />
    </section>
  );
}

function VirtualList({ lines, older, selection }: LineListProps) {
  const { lines: label } = useTexts(adminLogsTexts);
  const box = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(openLines);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => lines[index]?.id ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_ROWS,
  });
  const rows = virtualizer.getVirtualItems();
  const lastRow = rows.at(-1)?.index ?? 0;
  const isNearEnd = lastRow >= lines.length - LOAD_AHEAD_ROWS;
  const { load, state, next } = older;
  useEffect(() => {
    if (isNearEnd && lines.length > 0 && state === 'idle' && next !== null) load();
  }, [isNearEnd, lines.length, state, next, load]);
  const toggle = (id: string, isOpen: boolean) =>
    setOpened((current) => {
      const changed = new Set(current);
      if (isOpen) changed.add(id);
      else changed.delete(id);
      return changed;
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
    <section ref={box} className={BOX} tabIndex={0} aria-label={label}>
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <LineRow
                line={line}
                isOpen={opened.has(line.id)}
                onToggle={(isOpen) => toggle(line.id, isOpen)}
              />
            </li>
          );
        })}
      </ul>
      <ListEnd older={older} selection={selection} hasLines={lines.length > 0} />
    </section>
  );
}

/** Details that were opened before scripts ran stay open: the list without scripts is still in the document. */
function openLines(): ReadonlySet<string> {
  const open = document.querySelectorAll<HTMLElement>('details[data-line][open]');
  return new Set(Array.from(open, ({ dataset }) => dataset.line ?? ''));
}

/** What follows the last line: a way to older ones, the progress of the search, or its end. */
function ListEnd(props: { older: Older; selection: LineSelection; hasLines: boolean }) {
  const { older, selection, hasLines } = props;
  const texts = useTexts(adminLogsTexts);
  const isHydrated = useIsHydrated();
  const { next, state, searchedTo, load } = older;
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-3 text-small text-ink-muted">
      {!hasLines && next !== null && (
        <p>
          {texts.notYetFound}. {texts.notYetFoundText}
        </p>
      )}
      {state === 'failed' && <Alert kind="error">{texts.failed}</Alert>}
      {next === null && <p>{texts.end}</p>}
      {next !== null && !isHydrated && (
        <ButtonLink to={linesPath({ ...selection, before: next, live: '' })} size="small">
          {texts.older}
        </ButtonLink>
      )}
      {next !== null && isHydrated && (
        <Button type="button" size="small" isPending={state === 'loading'} onClick={load}>
          {state === 'failed' ? texts.retry : texts.older}
        </Button>
      )}
      {next !== null && searchedTo !== null && (
        <p>
          {texts.searchedTo}{' '}
          <time dateTime={searchedTo}>{searchedTo.slice(0, 19).replace('T', ' ')} UTC</time>
        </p>
      )}
    </div>
  );
}
