/** A form about one user. */
import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { Button } from '../../../ui/button.tsx';
import { userPath } from './list-query.ts';

/** `intent` names the change, unless the buttons name it; `fields` are hidden fields. */
export function UserForm(props: {
  userId: string;
  intent?: string;
  fields?: Record<string, string>;
  /** The response is another document. */
  isDocument?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const { userId, intent, fields = {}, isDocument = false, className, children } = props;
  return (
    <Form
      method="post"
      action={userPath(userId)}
      preventScrollReset
      reloadDocument={isDocument}
      {...(className && { className })}
    >
      {intent !== undefined && <input type="hidden" name="intent" value={intent} />}
      <input type="hidden" name="userId" value={userId} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  );
}

/** A form that consists of one button. `label` is its accessible name if the text alone is ambiguous. */
export function UserButton(props: {
  userId: string;
  intent: string;
  fields?: Record<string, string>;
  label?: string;
  variant?: 'danger' | 'secondary';
  isDocument?: boolean;
  children: ReactNode;
}) {
  const { userId, intent, fields = {}, label, variant, isDocument, children } = props;
  const isPending = useIsPending(intent, fields);
  return (
    <UserForm userId={userId} intent={intent} fields={fields} {...(isDocument && { isDocument })}>
      <Button
        type="submit"
        size="small"
        variant={variant}
        isPending={isPending}
        {...(label && { 'aria-label': label })}
      >
        {children}
      </Button>
    </UserForm>
  );
}

/** Returns whether the form with this intent and these fields is being sent. */
export function useIsPending(intent: string, fields: Record<string, string> = {}): boolean {
  const { state, formData } = useNavigation();
  if (state === 'idle' || formData?.get('intent') !== intent) return false;
  return Object.entries(fields).every(([name, value]) => formData.get(name) === value);
}
