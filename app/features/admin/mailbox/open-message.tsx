/** The open message: its properties, actions and content. */
import type { ReactNode } from 'react';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { ButtonLink, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionItem, DescriptionList } from '../../../ui/description-list.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { ConfirmDelete } from './confirm-delete.tsx';
import { MessageContent } from './message-content.tsx';
import type { OpenMessage } from './messages.ts';
import { mailboxPath, type Selection, withoutMessage } from './selection.ts';
import type { OpenResult } from './view.ts';
import { purposeOf, STATUS_TONES, titleOf } from './words.ts';

/** Shows the open message, or a placeholder if none is open. */
export function OpenPane({ open, selection }: { open: OpenResult; selection: Selection }) {
  const texts = useTexts(mailboxTexts);
  if (open.kind === 'none') {
    return (
      <div className="card max-lg:hidden">
        <EmptyState icon="mail" title={texts.noneOpen} />
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <ButtonLink
        to={mailboxPath(withoutMessage(selection))}
        variant="ghost"
        size="small"
        className="justify-self-start lg:hidden"
      >
        <Icon name="lucide:arrow-left" />
        {texts.back}
      </ButtonLink>
      {open.kind === 'open' && <Message message={open.message} selection={selection} />}
      {open.kind === 'problem' && <Alert kind="error">{texts.openFailed}</Alert>}
      {open.kind === 'gone' && (
        <div className="card">
          <EmptyState icon="lucide:inbox" title={texts.notFound} text={texts.notFoundText} />
        </div>
      )}
    </div>
  );
}

function Message({ message, selection }: { message: OpenMessage; selection: Selection }) {
  const texts = useTexts(mailboxTexts);
  const remove = (
    <ButtonLink to={mailboxPath(selection, { ask: 'delete' })} size="small" preventScrollReset>
      {texts.delete}
    </ButtonLink>
  );
  return (
    <Card title={titleOf(message, texts)} description={message.recipient} actions={remove}>
      <ConfirmDelete message={message} selection={selection} />
      <MessageDetails message={message} />
      <CodeAndLink message={message} />
      <MessageContent message={message} selection={selection} />
    </Card>
  );
}

function MessageDetails({ message }: { message: OpenMessage }) {
  const texts = useTexts(mailboxTexts);
  const { channel, status, createdAt, sentAt, attempts, lastError } = message;
  return (
    <DescriptionList>
      <DescriptionItem label={texts.kind}>
        {purposeOf(message, texts)} ({texts.channels[channel]})
      </DescriptionItem>
      <DescriptionItem label={texts.status}>
        <Badge tone={STATUS_TONES[status]}>{texts.statuses[status]}</Badge>
      </DescriptionItem>
      <DescriptionItem label={texts.created}>
        <LocalTime seconds={createdAt} />
      </DescriptionItem>
      {sentAt !== null && (
        <DescriptionItem label={texts.sent}>
          <LocalTime seconds={sentAt} />
        </DescriptionItem>
      )}
      {attempts > 0 && <DescriptionItem label={texts.attempts}>{attempts}</DescriptionItem>}
      {lastError && <DescriptionItem label={texts.lastError}>{lastError}</DescriptionItem>}
    </DescriptionList>
  );
}

/** Code and link of the message, for the recipient's next step. */
function CodeAndLink({ message: { code, link } }: { message: OpenMessage }) {
  const texts = useTexts(mailboxTexts);
  if (!code && !link) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-line px-5 py-4">
      {code && (
        <Labelled label={texts.code}>
          <code className="font-mono text-lead font-semibold tracking-wider">{code}</code>
          <CopyButton text={code} label={texts.copyCode} />
        </Labelled>
      )}
      {link && (
        <div className="grid gap-1.5">
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            aria-describedby="open-link-hint"
            className={buttonClass({ variant: 'primary' }, 'justify-self-start')}
          >
            <Icon name="lucide:external-link" />
            {texts.openLink}
          </a>
          <p id="open-link-hint" className="text-small text-ink-muted">
            {texts.openLinkHint}
          </p>
        </div>
      )}
    </div>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="flex items-center gap-2">
      <span className="text-body text-ink-muted">{label}</span>
      {children}
    </p>
  );
}
