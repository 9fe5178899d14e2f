/** Lines of the log: the search, the list, and following new lines. */
import { useRevalidator } from 'react-router';
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import { payloads } from '../../../lib/payload/client-payload.ts';
import { Resolved } from '../../../lib/resolved.tsx';
import { useOnline } from '../../../lib/use-online.ts';
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { LineList } from './line-list.tsx';
import { LineSearch } from './line-search.tsx';
import { joinLines, type LogPage } from './log-lines.ts';
import type { ListProblem } from './logs.server.ts';
import { LogsFrame } from './logs-frame.tsx';
import { NoLines } from './no-lines.tsx';
import { type LineSelection, linesPath } from './selection.ts';
import { type Followed, useFollowedLines } from './use-followed-lines.ts';
import { useOlderLines } from './use-older-lines.ts';

/** The part of the page with the lines. */
export function LinesPage(props: { page: MaybePromise<LogPage | ListProblem>; selection: LineSelection }) {
  const { page, selection } = props;
  const { loading } = useTexts(adminLogsTexts);
  const followed = useFollowed(selection);
  const fallback = (
    <Loading label={loading}>
      <TableSkeleton />
    </Loading>
  );
  return (
    <LogsFrame part="lines">
      <LineSearch selection={selection} />
      <Resolved data={page} fallback={fallback}>
        {(found) =>
          'problem' in found ? (
            <LinesProblem text={found.problem} />
          ) : (
            <FoundLines page={found} selection={selection} followed={followed} />
          )
        }
      </Resolved>
    </LogsFrame>
  );
}

/** The connection must not depend on the loaded lines, which are replaced as soon as it is open. */
function useFollowed({ live, before: _, ...filter }: LineSelection): Followed {
  const { revalidate } = useRevalidator();
  return useFollowedLines(live === '1' ? queryOf(filter) : undefined, () => {
    payloads.clear();
    return revalidate();
  });
}

function LinesProblem({ text }: { text: string }) {
  const { failed } = useTexts(adminLogsTexts);
  return (
    <Alert kind="error" title={failed}>
      {text}
    </Alert>
  );
}

function FoundLines(props: { page: LogPage; selection: LineSelection; followed: Followed }) {
  const { page, selection, followed } = props;
  const texts = useTexts(adminLogsTexts);
  const { live, before, ...filter } = selection;
  const older = useOlderLines(queryOf({ ...filter, before }), page);
  const lines = joinLines(followed.lines, [...page.lines, ...older.lines]);
  if (!page.is_kept) return <NoLines kind="not-kept" />;
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FollowStatus state={followed.state} missed={followed.missed} />
        <ButtonLink
          to={linesPath({ ...filter, live: live === '1' ? '' : '1' })}
          replace
          preventScrollReset
          size="small"
          className="ms-auto"
        >
          {live === '1' ? texts.live.stop : texts.live.start}
        </ButtonLink>
      </div>
      {lines.length === 0 && older.next === null ? (
        <NoLines kind="none" selection={selection} />
      ) : (
        <LineList lines={lines} older={older} selection={selection} />
      )}
    </div>
  );
}

function FollowStatus({ state, missed }: { state: string; missed: number }) {
  const texts = useTexts(adminLogsTexts);
  const isOnline = useOnline();
  if (state === 'off') return null;
  if (state === 'refused') return <Alert kind="warning">{texts.follow.refused}</Alert>;
  const isLive = state === 'live' && isOnline;
  const text = isOnline ? texts.follow[isLive ? 'live' : 'connecting'] : texts.follow.offline;
  return (
    <p role="status">
      <Badge tone={isLive ? 'primary' : 'neutral'} hasDot>
        {text}
      </Badge>
      {missed > 0 && <span className="ms-2 text-small text-ink-muted">{texts.missed(missed)}</span>}
    </p>
  );
}

function queryOf(selection: Partial<LineSelection>): string {
  return linesPath(selection).split('?', 2)[1] ?? '';
}
