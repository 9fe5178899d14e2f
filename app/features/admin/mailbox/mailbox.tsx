/** The mailbox: a list of messages next to the open one; on a narrow screen only one of them is visible. */
import { Form } from 'react-router';
import { payloads } from '../../../lib/payload/client-payload.ts';
import { Resolved } from '../../../lib/resolved.tsx';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { ConfirmClear } from './confirm-delete.tsx';
import { MessagesPane } from './message-list.tsx';
import { OpenPane } from './open-message.tsx';
import { SearchForm } from './search-form.tsx';
import { MAILBOX, mailboxPath, type Selection } from './selection.ts';
import type { MailboxView } from './view.ts';
import { MailboxViews } from './views.tsx';

/** `notice` names the action that was just done; `hasFailed` is true if it failed. */
export function Mailbox(props: {
  view: MailboxView & { kind: 'mailbox' };
  selection: Selection;
  notice: string | null;
  hasFailed: boolean;
}) {
  const { view, selection, notice, hasFailed } = props;
  const texts = useTexts(mailboxTexts);
  const isOpen = view.open.kind !== 'none';
  const done = notice !== null && Object.hasOwn(texts.notices, notice) ? notice : undefined;
  return (
    <Page>
      <PageHeader title={texts.title} description={texts.lead} actions={<Actions selection={selection} />} />
      <MailboxViews current="messages" />
      {done && <Alert kind="success">{texts.notices[done as keyof typeof texts.notices]}</Alert>}
      {hasFailed && <Alert kind="error">{texts.deleteFailed}</Alert>}
      <ConfirmClear selection={selection} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className={`grid grid-cols-1 gap-4 ${isOpen ? 'max-lg:hidden' : ''}`}>
          <SearchForm selection={selection} />
          <Resolved data={view.list} fallback={<ListLoading />}>
            {(list) => <MessagesPane list={list} selection={selection} now={view.now} />}
          </Resolved>
        </div>
        <OpenPane open={view.open} selection={selection} />
      </div>
    </Page>
  );
}

/** The reload is a form and not a link, and clears prefetched payloads, which may be outdated. */
function Actions({ selection }: { selection: Selection }) {
  const texts = useTexts(mailboxTexts);
  const fields = [...new URL(mailboxPath(selection), 'http://x').searchParams];
  return (
    <>
      <Form method="get" action={MAILBOX} preventScrollReset>
        {fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" onClick={() => payloads.clear()}>
          <Icon name="lucide:refresh-cw" />
          {texts.reload}
        </Button>
      </Form>
      <ButtonLink to={mailboxPath(selection, { ask: 'clear' })} preventScrollReset>
        <Icon name="lucide:trash-2" />
        {texts.deleteAll}
      </ButtonLink>
    </>
  );
}

function ListLoading() {
  const { loading } = useTexts(mailboxTexts);
  return (
    <Loading label={loading}>
      <TableSkeleton />
    </Loading>
  );
}
