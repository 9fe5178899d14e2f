/** The views of the mailbox: messages, templates and deliveries. */
import { mailboxDeliveriesTexts } from '../../../texts/mailbox-deliveries.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { SegmentedLinks } from '../../../ui/segmented-control.tsx';
import { MAILBOX } from './selection.ts';
import { type MailboxViewName, VIEWS, viewPath } from './view-names.ts';

/** Links to the views. */
export function MailboxViews({ current }: { current: MailboxViewName }) {
  const texts = useTexts(mailboxDeliveriesTexts);
  return (
    <div className="max-w-lg">
      <SegmentedLinks
        label={texts.views}
        links={VIEWS.map((view) => ({
          to: view === 'messages' ? MAILBOX : viewPath(view),
          label: texts.tabs[view],
          isCurrent: view === current,
        }))}
      />
    </div>
  );
}
