/** The confirmations before messages are deleted. */
import { Form, useNavigation } from 'react-router';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { ConfirmDialog, useConfirmation } from '../../account/confirm-dialog.tsx';
import type { OpenMessage } from './messages.ts';
import { mailboxPath, type Selection } from './selection.ts';

/** Confirms the deletion of the open message. */
export function ConfirmDelete({ message, selection }: { message: OpenMessage; selection: Selection }) {
  const { confirm, delete: submit } = useTexts(mailboxTexts);
  const isConfirming = useConfirmation('delete') !== undefined;
  if (!isConfirming) return null;
  return (
    <ConfirmDialog
      title={confirm.deleteTitle}
      text={message.status === 'queued' ? confirm.deleteQueuedText : confirm.deleteText}
      closeTo={mailboxPath(selection)}
    >
      <ConfirmForm intent="delete" submit={submit} selection={selection} />
    </ConfirmDialog>
  );
}

/** Confirms the deletion of all messages. */
export function ConfirmClear({ selection }: { selection: Selection }) {
  const { confirm, deleteAll } = useTexts(mailboxTexts);
  const isConfirming = useConfirmation('clear') !== undefined;
  if (!isConfirming) return null;
  return (
    <ConfirmDialog title={confirm.clearTitle} text={confirm.clearText} closeTo={mailboxPath(selection)}>
      <ConfirmForm intent="clear" submit={deleteAll} selection={selection} />
    </ConfirmDialog>
  );
}

function ConfirmForm(props: { intent: string; submit: string; selection: Selection }) {
  const { intent, submit, selection } = props;
  const { cancel } = useTexts(mailboxTexts).confirm;
  const isPending = useNavigation().state === 'submitting';
  return (
    <Form method="post" action={mailboxPath(selection)} className="flex flex-wrap justify-end gap-2">
      <input type="hidden" name="intent" value={intent} />
      <ButtonLink to={mailboxPath(selection)} preventScrollReset>
        {cancel}
      </ButtonLink>
      <Button type="submit" variant="danger" isPending={isPending}>
        {submit}
      </Button>
    </Form>
  );
}
