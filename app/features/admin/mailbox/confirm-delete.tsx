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
  const { ask, delete: submit } = useTexts(mailboxTexts);
  const isConfirming = useConfirmation('delete') !== undefined;
  if (!isConfirming) return null;
  return (
    <ConfirmDialog
      title={ask.delete}
      text={message.status === 'queued' ? ask.deleteWaiting : ask.deleteText}
      closeTo={mailboxPath(selection)}
    >
      <Answers intent="delete" submit={submit} keep={ask.keep} selection={selection} />
    </ConfirmDialog>
  );
}

/** Confirms the deletion of all messages. */
export function ConfirmClear({ selection }: { selection: Selection }) {
  const { ask, deleteAll } = useTexts(mailboxTexts);
  const isConfirming = useConfirmation('clear') !== undefined;
  if (!isConfirming) return null;
  return (
    <ConfirmDialog title={ask.clear} text={ask.clearText} closeTo={mailboxPath(selection)}>
      <Answers intent="clear" submit={deleteAll} keep={ask.keepAll} selection={selection} />
    </ConfirmDialog>
  );
}

function Answers(props: { intent: string; submit: string; keep: string; selection: Selection }) {
  const { intent, submit, keep, selection } = props;
  const isPending = useNavigation().state === 'submitting';
  return (
    <Form method="post" action={mailboxPath(selection)} className="flex flex-wrap justify-end gap-2">
      <input type="hidden" name="intent" value={intent} />
      <ButtonLink to={mailboxPath(selection)} preventScrollReset>
        {keep}
      </ButtonLink>
      <Button type="submit" look="danger" isPending={isPending}>
        {submit}
      </Button>
    </Form>
  );
}
