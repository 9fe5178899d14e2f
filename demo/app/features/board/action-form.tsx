/** A form of the board: with scripts the page handles it, without them the server. */
import type { ReactNode, Ref } from 'react';
import { Form } from 'react-router';

/** `fields` become hidden inputs; undefined ones are omitted. */
interface ActionFormProps {
  intent: 'add' | 'change' | 'share' | 'delete' | 'choose';
  fields?: Readonly<Record<string, string | undefined>>;
  /** Handles the form instead of the server. */
  onSend(form: FormData): void;
  /** Called when a value of the form changes. */
  onInput?(): void;
  ref?: Ref<HTMLFormElement>;
  className?: string;
  children: ReactNode;
}

/** The index route's action. Without `?index`, the action of the root route would run. */
const ACTION = '/?index';

/** A form with its intent and fields. */
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
