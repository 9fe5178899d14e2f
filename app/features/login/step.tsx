/** Components of the pages without a password. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Form } from 'react-router';
import { Alert } from '../../ui/alert.tsx';
import type { OneTimeOutcome } from './one-time-outcome.server.ts';

/** A step with its heading. `problem` is about the whole. */
export function Step(props: {
  title: string;
  lead: ReactNode;
  problem: string | undefined;
  children: ReactNode;
}) {
  const { title, lead, problem, children } = props;
  return (
    <div className="grid gap-7">
      <header className="grid gap-1">
        <h1 id="login-title" className="text-heading font-semibold">
          {title}
        </h1>
        <p className="text-body text-ink-muted">{lead}</p>
      </header>
      {problem && <Alert kind="error">{problem}</Alert>}
      {children}
    </div>
  );
}

/** After a response, focuses the invalid field, or the one for the code. */
export function FocusedForm(props: {
  action: string;
  outcome: OneTimeOutcome | undefined;
  children: ReactNode;
}) {
  const { action, outcome, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome) form.current?.querySelector<HTMLElement>('[aria-invalid], [name=code]')?.focus();
  }, [outcome]);
  return (
    <Form ref={form} method="post" action={action} noValidate className="grid gap-4">
      {children}
    </Form>
  );
}
