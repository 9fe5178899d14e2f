import { Button, Dialog, DialogClose } from 'greenroom/app';
import { type ReactElement, useEffect, useState } from 'react';
import { Form, useActionData } from 'react-router';
import { usePending } from './use-pending.ts';

/** Props of a confirmation. */
interface ConfirmDialogProps {
  /** The button that opens the dialog. */
  trigger: ReactElement;
  title: string;
  text: string;
  /** The label of the button that sends the form, and its value `intent`. */
  action: string;
  intent: string;
  /** The field `id`, if several objects can be changed. */
  id?: string;
}

/** Asks before a change that cannot be undone. It closes when the action of the page responds. */
export function ConfirmDialog({ trigger, title, text, action, intent, id }: ConfirmDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  const outcome = useActionData();
  // Each outcome closes the dialog.
  useEffect(() => setIsOpen(false), [outcome]);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen} trigger={trigger} title={title} description={text}>
      <Form method="post" className="flex justify-end gap-2">
        {id !== undefined && <input type="hidden" name="id" value={id} />}
        <DialogClose asChild>
          <Button type="button">Cancel</Button>
        </DialogClose>
        <Button
          type="submit"
          name="intent"
          value={intent}
          variant="danger"
          isPending={usePending(intent, id)}
        >
          {action}
        </Button>
      </Form>
    </Dialog>
  );
}
