/** A form that requests a message again, with a countdown until the backend accepts it. */
import type { ReactNode } from 'react';
import { SendAgain } from '../login/send-again.tsx';
import { SectionForm } from './section-form.tsx';
import type { Wait } from './wait.ts';

/** `children` are hidden fields. */
export function SendAgainForm(props: { intent: string; wait: Wait; children?: ReactNode }) {
  const { intent, wait, children } = props;
  return (
    <SectionForm intent={intent} className="flex">
      {children}
      <SendAgain attempt={wait.attempt} seconds={wait.seconds} />
    </SectionForm>
  );
}
