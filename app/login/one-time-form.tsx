/** The forms without a password: where to send a code, and the code itself. Both work without scripts. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import { usePage } from '../request/page-context.tsx';
import { loginTexts } from '../texts/login.ts';
import { oneTimeTexts } from '../texts/one-time.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { SegmentedLinks } from '../ui/segmented-control.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { CodeField } from './code-field.tsx';
import { IdentifierField } from './identifier-field.tsx';
import type { Identifier } from './login-view.ts';
import type { OneTimeOutcome } from './one-time.server.ts';
import { type OneTimeMode, oneTimePath } from './one-time-view.ts';
import { useCountdown } from './use-countdown.ts';

/** What the forms are about. `outcome` is what the server said to the one that was sent before. */
interface OneTimeProps {
  mode: OneTimeMode;
  by: Identifier;
  outcome: OneTimeOutcome | undefined;
}

/** See the head of this file. */
export default function OneTimeForm(props: OneTimeProps) {
  if (props.mode === 'factor') return <FactorStep {...props} />;
  return props.outcome?.isSent ? (
    <CodeStep {...props} mode={props.mode} />
  ) : (
    <SendStep {...props} mode={props.mode} />
  );
}

type MessageProps = OneTimeProps & { mode: 'code' | 'recover' };

function SendStep({ mode, by, outcome }: MessageProps) {
  const all = useTexts(oneTimeTexts);
  const texts = mode === 'code' ? all.byCode : all.recover;
  const { login } = usePage().config.redirectOptions;
  const isPending = useNavigation().state === 'submitting';
  return (
    <Step title={texts.title} lead={texts.lead} problem={outcome?.problems?.form}>
      <FocusedForm action={oneTimePath(login, mode, by)} outcome={outcome}>
        {mode === 'code' && <BySwitch by={by} login={login} />}
        <IdentifierField
          view={{ mode: 'sign-in', by }}
          value={outcome?.identifier}
          error={outcome?.problems?.identifier}
        />
        <Button type="submit" look="primary" size="large" isPending={isPending} className="mt-2 w-full">
          {texts.send}
        </Button>
      </FocusedForm>
      <BackToSignIn />
    </Step>
  );
}

function CodeStep({ mode, by, outcome }: MessageProps) {
  const all = useTexts(oneTimeTexts);
  const { login } = usePage().config.redirectOptions;
  const isPending = useNavigation().state === 'submitting';
  const action = oneTimePath(login, mode, by);
  const address = <input type="hidden" name={by} value={outcome?.identifier ?? ''} />;
  return (
    <Step
      title={all.sentTitle[by]}
      lead={all.sentLead[by]}
      to={outcome?.identifier}
      problem={outcome?.problems?.form}
    >
      <FocusedForm action={action} outcome={outcome}>
        {address}
        <input type="hidden" name="step" value="verify" />
        <CodeField label={all.code} error={outcome?.problems?.code} />
        <Button type="submit" look="primary" size="large" isPending={isPending} className="mt-2 w-full">
          {all.go}
        </Button>
      </FocusedForm>
      <Form method="post" action={action} className="flex flex-wrap items-center gap-x-4 gap-y-2 text-body">
        {address}
        <SendAgain key={outcome?.problems ? 'same' : outcome?.identifier} />
        <TextLink to={action}>{all.otherAddress[by]}</TextLink>
      </Form>
    </Step>
  );
}

/** Counts down while the next message would be refused; without scripts the server says so. */
function SendAgain() {
  const texts = useTexts(oneTimeTexts);
  const seconds = useCountdown(60);
  return (
    <Button type="submit" size="small" disabled={seconds > 0}>
      {seconds > 0 ? texts.againIn(seconds) : texts.again}
    </Button>
  );
}

function FactorStep({ outcome }: OneTimeProps) {
  const texts = useTexts(oneTimeTexts);
  const { login } = usePage().config.redirectOptions;
  const isPending = useNavigation().state === 'submitting';
  return (
    <Step title={texts.factor.title} lead={texts.factor.lead} problem={outcome?.problems?.form}>
      <FocusedForm action={oneTimePath(login, 'factor')} outcome={outcome}>
        <CodeField label={texts.code} error={outcome?.problems?.code} />
        <Button type="submit" look="primary" size="large" isPending={isPending} className="mt-2 w-full">
          {texts.go}
        </Button>
      </FocusedForm>
      <Form method="post" action="/sign-out">
        <input type="hidden" name="scope" value="local" />
        <Button type="submit" look="ghost" size="small" className="-ms-3">
          {texts.factor.signOut}
        </Button>
      </Form>
    </Step>
  );
}

function Step(props: {
  title: string;
  lead: string;
  to?: string | undefined;
  problem: string | undefined;
  children: ReactNode;
}) {
  const { title, lead, to, problem, children } = props;
  return (
    <div className="grid gap-7">
      <header className="grid gap-1">
        <h1 id="login-title" className="text-heading font-semibold">
          {title}
        </h1>
        <p className="text-body text-ink-muted">
          {lead} {to && <strong className="font-medium break-all text-ink">{to}</strong>}
        </p>
      </header>
      {problem && <Alert kind="error">{problem}</Alert>}
      {children}
    </div>
  );
}

/** After an answer the field that is wrong, or the one that is next, gets the focus. */
function FocusedForm(props: { action: string; outcome: OneTimeOutcome | undefined; children: ReactNode }) {
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

function BySwitch({ by, login }: { by: Identifier; login: string }) {
  const texts = useTexts(loginTexts);
  const links = (['email', 'phone'] as const).map((one) => ({
    to: oneTimePath(login, 'code', one),
    label: texts[one],
    isCurrent: by === one,
  }));
  return <SegmentedLinks label={texts.signInWith} links={links} />;
}

function BackToSignIn() {
  const { back } = useTexts(oneTimeTexts);
  const { login } = usePage().config.redirectOptions;
  return (
    <p className="text-body">
      <TextLink to={login}>{back}</TextLink>
    </p>
  );
}
