/** The content of a message: an email in a sandboxed frame, or its text. */

import { withBase } from '../../../lib/page/base-path.ts';
import { usePage } from '../../../lib/page/page-context.tsx';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { SegmentedLinks } from '../../../ui/segmented-control.tsx';
import { MAIL_SANDBOX } from './mail-document.ts';
import type { OpenMessage } from './messages.ts';
import { mailboxPath, mailPath, type Selection } from './selection.ts';

/** Shows the content, with a switch between email and text. */
export function MessageContent({ message, selection }: { message: OpenMessage; selection: Selection }) {
  const texts = useTexts(mailboxTexts);
  const { text, hasHtml } = message;
  const isText = !hasHtml || selection.view === 'text';
  if (!text && !hasHtml) {
    return <p className="border-t border-line px-5 py-4 text-body text-ink-muted">{texts.contentDeleted}</p>;
  }
  return (
    <div className="grid grid-cols-1 gap-4 border-t border-line p-5">
      {hasHtml && (
        <SegmentedLinks
          label={texts.view}
          links={[
            { to: mailboxPath({ ...selection, view: '' }), label: texts.asEmail, isCurrent: !isText },
            { to: mailboxPath({ ...selection, view: 'text' }), label: texts.asText, isCurrent: isText },
          ]}
        />
      )}
      {isText ? (
        <pre className="font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>
      ) : (
        <MailFrame id={message.id} />
      )}
    </div>
  );
}

/** Each email has its own frame: changing the URL of one frame would add an entry to the history. */
function MailFrame({ id }: { id: string }) {
  const { preview } = useTexts(mailboxTexts);
  const { baseURL } = usePage().config;
  return (
    <iframe
      key={id}
      title={preview}
      src={withBase(mailPath(id), baseURL)}
      sandbox={MAIL_SANDBOX}
      referrerPolicy="no-referrer"
      // Emails are designed for a white background.
      className="h-128 w-full rounded-control border border-line bg-white scheme-light"
    />
  );
}
