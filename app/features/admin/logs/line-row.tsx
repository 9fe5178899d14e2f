/** A line of the log, and its details, which open below it. */
import { Link } from 'react-router';
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TEXT_LINK_CLASS } from '../../../ui/text-link.tsx';
import { detailsOf, type LogLine, summaryOf } from './log-lines.ts';
import { linesPath } from './selection.ts';

const LEVEL_TONES: Record<string, BadgeTone> = {
  warn: 'warning',
  error: 'danger',
  fatal: 'danger',
};
/** Lines show the time of the day with milliseconds; the details have the date. */
const TIME_START = 11;
const TIME_END = 23;

/** Without `onToggle`, the browser keeps the state of the details. */
export function LineRow(props: { line: LogLine; isOpen?: boolean; onToggle?(isOpen: boolean): void }) {
  const { line, isOpen, onToggle } = props;
  return (
    <details
      open={isOpen}
      onToggle={onToggle && ((event) => onToggle(event.currentTarget.open))}
      data-line={line.id}
      className="group/line"
    >
      <Summary line={line} />
      {isOpen !== false && <Details line={line} />}
    </details>
  );
}

function Summary({ line }: { line: LogLine }) {
  const { time, level, service, fields } = line;
  const { status, ms } = fields;
  return (
    <summary
      className="grid cursor-pointer list-none grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2
        font-mono text-small -outline-offset-2! group-open/line:bg-hover hover:bg-hover
        md:grid-cols-[6.5rem_3.5rem_5.5rem_3rem_minmax(0,1fr)_auto]"
    >
      <time dateTime={time ?? undefined} className="text-ink-muted tabular-nums">
        {time?.slice(TIME_START, TIME_END)}
      </time>
      <span>{level && <Badge tone={LEVEL_TONES[level] ?? 'neutral'}>{level}</Badge>}</span>
      <span className="truncate text-ink-muted">{service}</span>
      <span className={typeof status === 'number' && status >= 500 ? 'text-danger-ink' : 'text-ink-muted'}>
        {typeof status === 'number' && status}
      </span>
      <span className="truncate max-md:col-span-full">{summaryOf(line)}</span>
      <span className="text-ink-muted tabular-nums max-md:hidden">
        {typeof ms === 'number' && `${ms} ms`}
      </span>
    </summary>
  );
}

function Details({ line }: { line: LogLine }) {
  const { copyLine } = useTexts(adminLogsTexts);
  const { time, message, fields } = line;
  const { reqId, userId } = fields;
  return (
    <div className="grid gap-3 border-t border-line bg-sunken px-4 py-3 text-small">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono">
        {time && <DetailItem name="time" text={time} isLong={false} />}
        <DetailItem name="message" text={message} isLong={false} />
        {detailsOf(line).map((detail) => (
          <DetailItem key={detail.name} {...detail} />
        ))}
      </dl>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {typeof reqId === 'string' && <RequestLink id={reqId} />}
        {typeof userId === 'string' && <UserLinks id={userId} />}
        <span className="ms-auto">
          <CopyButton text={JSON.stringify(line, undefined, 2)} label={copyLine} />
        </span>
      </div>
    </div>
  );
}

function DetailItem({ name, text, isLong }: { name: string; text: string; isLong: boolean }) {
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">
        {isLong ? <pre className="whitespace-pre-wrap">{text}</pre> : text}
      </dd>
    </>
  );
}

function RequestLink({ id }: { id: string }) {
  const { thisRequest } = useTexts(adminLogsTexts);
  return (
    <Link to={linesPath({ request: id })} className={TEXT_LINK_CLASS}>
      {thisRequest}
    </Link>
  );
}

function UserLinks({ id }: { id: string }) {
  const { thisUser, showUser } = useTexts(adminLogsTexts);
  return (
    <>
      <Link to={linesPath({ user: id })} className={TEXT_LINK_CLASS}>
        {thisUser}
      </Link>
      <Link to={`/admin/users?user=${encodeURIComponent(id)}`} className={TEXT_LINK_CLASS}>
        {showUser}
      </Link>
    </>
  );
}
