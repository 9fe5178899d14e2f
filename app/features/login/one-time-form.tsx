/**
 * The forms without a password: the address to send a code to, and the code itself. Both work without
 * scripts.
 */
import { type ReactNode, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import { usePage } from '../../lib/page/page-context.tsx';
import type { Identifier } from '../../session/login-view.ts';
import { type OneTimeMode, oneTimePath } from '../../session/one-time-view.ts';
import { loginTexts } from '../../texts/login.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedLinks } from '../../ui/segmented-control.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AddressSentence } from './address-sentence.tsx';
import { CodeField } from './code-field.tsx';
import { IdentifierField } from './identifier-field.tsx';
import type { OneTimeOutcome } from './one-time-outcome.server.ts';
import { SendAgain } from './send-again.tsx';
import { FocusedForm, Step } from './step.tsx';

/**
 * `outcome` is the server's response to the previous submission; `captcha` is part of the forms that send a
 * message.
 */
interface OneTimeProps {
  mode: Exclude<OneTimeMode, 'factor'>;
  by: Identifier;
  outcome: OneTimeOutcome | undefined;
  captcha: ReactNode;
}

/** Shows the form for the address, or for the code after it was sent. */
export default function OneTimeForm(props: OneTimeProps) {
  return props.outcome?.isSent ? <CodeStep {...props} /> : <SendStep {...props} />;
}

function SendStep({ mode, by, outcome, captcha }: OneTimeProps) {
  const all = useTexts(oneTimeTexts);
  const texts = mode === 'code' ? all.withCode : all.recover;
  const { login } = usePage().config.redirectOptions;
  const isPending = useNavigation().state === 'submitting';
  return (
    <Step title={texts.title} lead={texts.lead} problem={outcome?.problems?.form}>
      <FocusedForm action={oneTimePath(login, mode, by)} outcome={outcome}>
        {mode === 'code' && <AddressSwitch by={by} login={login} />}
        <IdentifierField
          view={{ mode: 'sign-in', by }}
          value={outcome?.identifier}
          error={outcome?.problems?.identifier}
        />
        {captcha}
        <Button type="submit" variant="primary" size="large" isPending={isPending} className="mt-2 w-full">
          {texts.send}
        </Button>
      </FocusedForm>
      <BackToSignIn />
    </Step>
  );
}

function CodeStep({ mode, by, outcome, captcha }: OneTimeProps) {
  const all = useTexts(oneTimeTexts);
  const { login } = usePage().config.redirectOptions;
  const isPending = useNavigation().state === 'submitting';
  const action = oneTimePath(login, mode, by);
  const address = <input type="hidden" name={by} value={outcome?.identifier ?? ''} />;
  return (
    <Step
      title={all.sentTitle[by]}
      lead={<AddressSentence text={all.sentLead[by]} address={outcome?.identifier ?? ''} />}
      problem={outcome?.problems?.form}
    >
      <FocusedForm action={action} outcome={outcome}>
        {address}
        <input type="hidden" name="step" value="verify" />
        <CodeField label={all.code} error={outcome?.problems?.code} />
        <Button type="submit" variant="primary" size="large" isPending={isPending} className="mt-2 w-full">
          {all.submit}
        </Button>
      </FocusedForm>
      <Form method="post" action={action} className="flex flex-wrap items-center gap-x-4 gap-y-2 text-body">
        {address}
        {captcha}
        <SendAgain attempt={useLastSent(outcome)} />
        <TextLink to={action}>{all.otherAddress[by]}</TextLink>
      </Form>
    </Step>
  );
}

/** Returns the last response after which a message was sent; a wrong code does not count. */
function useLastSent(outcome: OneTimeOutcome | undefined): OneTimeOutcome | undefined {
  const last = useRef(outcome);
  if (outcome?.problems === undefined) last.current = outcome;
  return last.current;
}

function AddressSwitch({ by, login }: { by: Identifier; login: string }) {
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
