/** A form that requests a message again, with a countdown until the backend accepts it. */
import type { ReactNode } from 'react';
import { SendAgain } from '../login/send-again.tsx';
import { CardForm } from './card-form.tsx';
import type { Wait } from './wait.ts';

/** `children` are hidden fields; `message` is the message's main content. */
export function SendAgainForm(props: {
  intent: string;
  wait: Wait;
  message?: 'code' | 'email';
  children?: ReactNode;
}) {
  const { intent, wait, message = 'code', children } = props;
  return (
    <CardForm intent={intent} className="flex">
      {children}
      <SendAgain attempt={wait.attempt} seconds={wait.seconds} message={message} />
    </CardForm>
  );
}
