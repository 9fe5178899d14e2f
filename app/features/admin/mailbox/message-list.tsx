/** The list of messages, or the reason why it is missing. */
import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';
import { adminTexts } from '../../../texts/admin.ts';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Age } from '../../../ui/age.tsx';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { BreakableText } from '../../../ui/breakable-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { MESSAGES_PER_PAGE, type MessagePage, type MessageRow } from './messages.ts';
import { MAILBOX, mailboxPath, type Selection, withoutMessage } from './selection.ts';
import type { MessageList } from './view.ts';
import { CHANNEL_ICONS, STATUS_TONES, titleOf } from './words.ts';

/** Shows the list. */
export function MessagesPane(props: { list: MessageList; selection: Selection; now: number }) {
  const { list, selection, now } = props;
  const texts = useTexts(mailboxTexts);
  if (list.kind === 'problem') {
    return (
      <Alert kind="error" title={texts.listFailed}>
        {list.text}
      </Alert>
    );
  }
  if (list.rows.length === 0) return <NoMessages list={list} selection={selection} />;
  return (
    <>
      <ul aria-label={texts.messages} className="card divide-y divide-line overflow-hidden">
        {list.rows.map((row) => (
          <Item key={row.id} row={row} selection={selection} now={now} />
        ))}
      </ul>
      <Pages list={list} selection={selection} />
    </>
  );
}

function Item(props: { row: MessageRow; selection: Selection; now: number }) {
  const { row, selection, now } = props;
  const texts = useTexts(mailboxTexts);
  const isCurrent = row.id === selection.message;
  return (
    <li>
      <Link
        to={mailboxPath({ ...withoutMessage(selection), message: row.id })}
        preventScrollReset
        aria-current={isCurrent ? 'true' : undefined}
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-3 text-body
          transition-colors -outline-offset-2! hover:bg-hover aria-[current]:bg-primary-wash"
      >
        <Icon name={CHANNEL_ICONS[row.channel]} className="size-4 text-ink-muted" />
        <span className="truncate font-medium">
          <span className="sr-only">{texts.channels[row.channel]}: </span>
          {row.recipient}
        </span>
        <span className="justify-self-end text-small text-ink-muted">
          <Age seconds={row.createdAt} now={now} />
        </span>
        <span className="col-start-2 truncate text-small text-ink-muted">{titleOf(row, texts)}</span>
        <span className="justify-self-end">
          <Badge tone={STATUS_TONES[row.status]}>{texts.statuses[row.status]}</Badge>
        </span>
      </Link>
    </li>
  );
}

function Pages({ list, selection }: { list: MessagePage; selection: Selection }) {
  const { pages } = useTexts(mailboxTexts);
  const { range } = useTexts(adminTexts);
  const language = useLanguage();
  const write = (number: number) => formatNumber(number, language);
  const first = (list.page - 1) * MESSAGES_PER_PAGE + 1;
  return (
    <Pagination
      label={pages}
      range={range(write(first), write(first + list.rows.length - 1), write(list.total))}
      page={list.page}
      lastPage={list.lastPage}
      pathOf={(page) => mailboxPath({ ...withoutMessage(selection), page })}
    />
  );
}

function NoMessages({ list, selection }: { list: MessagePage; selection: Selection }) {
  const texts = useTexts(mailboxTexts);
  const isFiltered = selection.q !== '' || selection.channel !== '';
  return (
    <div className="card">
      {list.total > 0 && (
        <EmptyState icon="lucide:inbox" title={texts.emptyPage}>
          <ButtonLink to={mailboxPath({ ...withoutMessage(selection), page: 1 })}>
            {texts.toFirstPage}
          </ButtonLink>
        </EmptyState>
      )}
      {list.total === 0 && isFiltered && (
        <EmptyState icon="search" title={texts.noMatches} text={texts.noMatchesText}>
          <ButtonLink to={MAILBOX}>{texts.showAll}</ButtonLink>
        </EmptyState>
      )}
      {list.total === 0 && !isFiltered && (
        <EmptyState icon="lucide:inbox" title={texts.emptyTitle} text={<EmptyText />} />
      )}
    </div>
  );
}

/** Names the settings that enable delivery. */
function EmptyText() {
  const { emptyText, toDeliverEmails, toDeliverTextMessages, and } = useTexts(mailboxTexts);
  return (
    <>
      {emptyText} {toDeliverEmails} <Variable name="GOTRUE_SMTP_HOST" /> {and}{' '}
      <Variable name="GOTRUE_SMTP_ADMIN_EMAIL" />. {toDeliverTextMessages}{' '}
      <Variable name="GOTRUE_SMS_PROVIDER" />.
    </>
  );
}

function Variable({ name }: { name: string }) {
  return (
    <code className="font-mono text-small text-ink">
      <BreakableText text={name} />
    </code>
  );
}
