/** A form of the board: without scripts the server carries it out, with them the page does. */
import type { ReactNode, Ref } from 'react';
import { Form } from 'react-router';

/** What it needs. `fields` are sent along; one that is undefined is not. */
interface ActionFormProps {
  intent: 'add' | 'change' | 'share' | 'delete' | 'choose';
  fields?: Readonly<Record<string, string | undefined>>;
  /** Takes the form in the place of the server. */
  onSend(form: FormData): void;
  /** Something in it was written or chosen. */
  onInput?(): void;
  ref?: Ref<HTMLFormElement>;
  className?: string;
  children: ReactNode;
}

/** The index route's own action: the path alone would be that of the document around it. */
const ACTION = '/?index';

/** See the head of this file. */
export function ActionForm({ intent, fields = {}, onSend, children, ...form }: ActionFormProps) {
  return (
    <Form
      {...form}
      method="post"
      action={ACTION}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSend(new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter));
      }}
    >
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(fields).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </Form>
  );
}
