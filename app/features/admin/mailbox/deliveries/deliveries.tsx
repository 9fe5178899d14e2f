/** The deliveries: a table of messages with their attempts, and forms that retry and drop them. */
import { Form, useLocation } from 'react-router';
import { formatNumber } from '../../../../lib/format/number.ts';
import { adminTexts } from '../../../../texts/admin.ts';
import { mailboxTexts } from '../../../../texts/mailbox.ts';
import { mailboxDeliveriesTexts } from '../../../../texts/mailbox-deliveries.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { LocalTime } from '../../../../ui/local-time.tsx';
import { Page } from '../../../../ui/page.tsx';
import { PageHeader } from '../../../../ui/page-header.tsx';
import { Pagination } from '../../../../ui/pagination.tsx';
import { SegmentedLinks } from '../../../../ui/segmented-control.tsx';
import { Cell, Heading, Row, RowHeading, Table, TableHead } from '../../../../ui/table.tsx';
import { ConfirmDialog, useConfirmation } from '../../../account/confirm-dialog.tsx';
import { MESSAGES_PER_PAGE, type MessagePage, type MessageRow } from '../messages.ts';
import { MailboxViews } from '../views.tsx';
import { STATUS_TONES, titleOf } from '../words.ts';
import type { DeliveriesView } from './deliveries.server.ts';
import { type DeliverySelection, deliveriesPath, FILTERS, type FilterName } from './selection.ts';

/** `failure` is the reason why the last form did nothing. */
export function Deliveries(props: {
  view: DeliveriesView;
  selection: DeliverySelection;
  failure: 'gone' | 'failed' | undefined;
}) {
  const { view, selection, failure } = props;
  const texts = useTexts(mailboxDeliveriesTexts);
  const { title, lead, listFailed } = useTexts(mailboxTexts);
  const { list, now } = view;
  return (
    <Page>
      <PageHeader title={title} description={lead} actions={<RetryAll selection={selection} />} />
      <MailboxViews current="deliveries" />
      <Notice />
      {failure && <Alert kind="error">{failure === 'gone' ? texts.gone : texts.failed}</Alert>}
      <ConfirmDrop selection={selection} />
      <SegmentedLinks
        label={texts.states}
        links={(Object.keys(FILTERS) as FilterName[]).map((filter) => ({
          to: deliveriesPath({ filter }),
          label: texts.filters[filter],
          isCurrent: filter === selection.filter,
        }))}
      />
      {list.kind === 'problem' ? (
        <Alert kind="error" title={listFailed}>
          {list.text}
        </Alert>
      ) : (
        <DeliveryList list={list} selection={selection} now={now} />
      )}
    </Page>
  );
}

function Notice() {
  const { notices } = useTexts(mailboxDeliveriesTexts);
  const notice = new URLSearchParams(useLocation().search).get('notice') ?? '';
  if (!Object.hasOwn(notices, notice)) return null;
  return <Alert kind="success">{notices[notice as keyof typeof notices]}</Alert>;
}

function RetryAll({ selection }: { selection: DeliverySelection }) {
  const texts = useTexts(mailboxDeliveriesTexts);
  return (
    <Form method="post" action={deliveriesPath(selection)} preventScrollReset>
      <input type="hidden" name="intent" value="retry-all" />
      <Button type="submit">
        <Icon name="lucide:refresh-cw" />
        {texts.retryAll}
      </Button>
    </Form>
  );
}

interface ListProps {
  list: MessagePage;
  selection: DeliverySelection;
  now: number;
}

function DeliveryList({ list, selection, now }: ListProps) {
  const texts = useTexts(mailboxDeliveriesTexts);
  const { pages } = useTexts(mailboxTexts);
  const { range } = useTexts(adminTexts);
  const language = useLanguage();
  if (list.rows.length === 0) {
    const isOpen = selection.filter === 'open';
    return (
      <div className="card">
        <EmptyState
          icon="mail"
          title={isOpen ? texts.empty : texts.none}
          text={isOpen ? texts.emptyText : texts.noneText}
        />
      </div>
    );
  }
  const write = (number: number) => formatNumber(number, language);
  const first = (list.page - 1) * MESSAGES_PER_PAGE + 1;
  return (
    <>
      <Table caption={texts.list}>
        <TableHead>
          <Heading>{texts.recipient}</Heading>
          <Heading>{texts.state}</Heading>
          <Heading>{texts.attempts}</Heading>
          <Heading>{texts.error}</Heading>
          <Heading>{texts.next}</Heading>
          <Heading>
            <span className="sr-only">{texts.actions}</span>
          </Heading>
        </TableHead>
        <tbody>
          {list.rows.map((row) => (
            <Delivery key={row.id} row={row} selection={selection} now={now} />
          ))}
        </tbody>
      </Table>
      <Pagination
        label={pages}
        range={range(write(first), write(first + list.rows.length - 1), write(list.total))}
        page={list.page}
        lastPage={list.lastPage}
        pathOf={(page) => deliveriesPath({ ...selection, page })}
      />
    </>
  );
}

function Delivery({ row, selection, now }: { row: MessageRow; selection: DeliverySelection; now: number }) {
  const texts = useTexts(mailboxDeliveriesTexts);
  const words = useTexts(mailboxTexts);
  return (
    <Row>
      <RowHeading>
        <span className="block min-w-44 [overflow-wrap:anywhere]">{row.recipient}</span>
        <span className="block text-small font-normal text-ink-muted">{titleOf(row, words)}</span>
      </RowHeading>
      <Cell>
        <Badge tone={STATUS_TONES[row.status]}>{words.statuses[row.status]}</Badge>
      </Cell>
      <Cell className="tabular-nums">{row.attempts}</Cell>
      <Cell className="min-w-48 text-small text-ink-muted [overflow-wrap:anywhere]">
        {row.lastError || '–'}
      </Cell>
      <Cell>
        {row.nextAttemptAt === null ? (
          '–'
        ) : row.nextAttemptAt <= now ? (
          texts.now
        ) : (
          <LocalTime seconds={row.nextAttemptAt} />
        )}
      </Cell>
      <Cell>
        {row.status === 'queued' && (
          <div className="flex justify-end gap-2">
            <Form method="post" action={deliveriesPath(selection)} preventScrollReset>
              <input type="hidden" name="intent" value="retry" />
              <input type="hidden" name="id" value={row.id} />
              <Button type="submit" size="small" aria-label={texts.retryOf(row.recipient)}>
                {texts.retry}
              </Button>
            </Form>
            <ButtonLink
              to={deliveriesPath(selection, { ask: 'drop', id: row.id })}
              size="small"
              preventScrollReset
              aria-label={texts.dropOf(row.recipient)}
            >
              {texts.drop}
            </ButtonLink>
          </div>
        )}
      </Cell>
    </Row>
  );
}

function ConfirmDrop({ selection }: { selection: DeliverySelection }) {
  const { confirmDrop, drop } = useTexts(mailboxDeliveriesTexts);
  const id = useConfirmation('drop');
  const path = deliveriesPath(selection);
  if (!id) return null;
  return (
    <ConfirmDialog title={confirmDrop.title} text={confirmDrop.text} closeTo={path}>
      <Form method="post" action={path} className="flex flex-wrap justify-end gap-2">
        <input type="hidden" name="intent" value="drop" />
        <input type="hidden" name="id" value={id} />
        <ButtonLink to={path} preventScrollReset>
          {confirmDrop.cancel}
        </ButtonLink>
        <Button type="submit" variant="danger">
          {drop}
        </Button>
      </Form>
    </ConfirmDialog>
  );
}
