/** The second step: verifies one of the user's factors. Only security keys need scripts. */
import { Form, useLocation, useNavigation } from 'react-router';
import { usePage } from '../../lib/page/page-context.tsx';
import { oneTimePath } from '../../session/one-time-view.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CodeField } from './code-field.tsx';
import type { OwnFactors } from './factors.server.ts';
import { KeyButton } from './key-button.tsx';
import type { OneTimeOutcome } from './one-time-outcome.server.ts';
import { SendAgain } from './send-again.tsx';
import { FocusedForm, Step } from './step.tsx';

const APP_ALONE: OwnFactors = { hasApp: true, phones: [], keys: [], hasRecoveryCodes: false };

/** Search parameter of the second step that shows the form for a recovery code. */
const RECOVERY = 'recovery=1';

interface FactorStepProps {
  /** Undefined if the page was rendered after a form was sent, without the loader's factors. */
  factors: OwnFactors | undefined;
  outcome: OneTimeOutcome | undefined;
}

/** Offers the user's factors. */
export default function FactorStep({ factors = APP_ALONE, outcome }: FactorStepProps) {
  const texts = useTexts(oneTimeTexts).factor;
  const { hasApp, phones, keys } = factors;
  const isByPhone = outcome?.phone !== undefined;
  const { action } = useStep();
  const isRecovery = new URLSearchParams(useLocation().search).has('recovery');
  if (isRecovery) return <RecoveryCodeStep outcome={outcome} />;
  return (
    <Step title={texts.title} lead={leadOf(factors, isByPhone, texts)} problem={outcome?.problems?.form}>
      {isByPhone && <PhoneCode outcome={outcome} />}
      {hasApp && !isByPhone && <CodeForm outcome={outcome} />}
      {(keys.length > 0 || (phones.length > 0 && !isByPhone)) && (
        <div className="grid gap-3">
          {keys.map(({ id, name }, index) => (
            <KeyButton key={id} factorId={id} name={name} isMain={!hasApp && !isByPhone && index === 0} />
          ))}
          {!isByPhone && phones.map((phone) => <SendToPhone key={phone.id} {...phone} />)}
        </div>
      )}
      {keys.length > 0 && !hasApp && phones.length === 0 && (
        <div className="hidden noscript:block">
          <Alert kind="warning">{texts.keyNeedsScripts}</Alert>
        </div>
      )}
      {factors.hasRecoveryCodes && <TextLink to={`${action}&${RECOVERY}`}>{texts.useRecoveryCode}</TextLink>}
      <Form method="post" action="/sign-out">
        <input type="hidden" name="scope" value="local" />
        <Button type="submit" variant="ghost" size="small" className="-ms-3">
          {texts.signOut}
        </Button>
      </Form>
    </Step>
  );
}

function leadOf(
  { hasApp, phones }: OwnFactors,
  isByPhone: boolean,
  texts: { leadApp: string; leadPhone: string; leadKey: string; leadSent: string },
): string {
  if (isByPhone) return texts.leadSent;
  if (hasApp) return texts.leadApp;
  return phones.length > 0 ? texts.leadPhone : texts.leadKey;
}

function useStep() {
  const { login } = usePage().config.redirectOptions;
  return { action: oneTimePath(login, 'factor'), isPending: useNavigation().state === 'submitting' };
}

function CodeForm({ outcome }: { outcome: OneTimeOutcome | undefined }) {
  const texts = useTexts(oneTimeTexts);
  const { action, isPending } = useStep();
  const { phone } = outcome ?? {};
  return (
    <FocusedForm action={action} outcome={outcome}>
      {phone && <input type="hidden" name="factorId" value={phone.factorId} />}
      {phone && <input type="hidden" name="challengeId" value={phone.challengeId} />}
      <CodeField label={texts.code} error={outcome?.problems?.code} isOnlyField />
      <Button type="submit" variant="primary" size="large" isPending={isPending} className="mt-2 w-full">
        {texts.submit}
      </Button>
    </FocusedForm>
  );
}

/** Replaces all other factors while the URL asks for it, because most users never need it. */
function RecoveryCodeStep({ outcome }: { outcome: OneTimeOutcome | undefined }) {
  const texts = useTexts(oneTimeTexts);
  const { action, isPending } = useStep();
  const { form, recoveryCode } = outcome?.problems ?? {};
  return (
    <Step title={texts.factor.recoveryTitle} lead={texts.factor.recoveryLead} problem={form}>
      <FocusedForm action={`${action}&${RECOVERY}`} outcome={outcome}>
        <input type="hidden" name="step" value="recovery" />
        <Field
          label={texts.factor.recoveryCode}
          error={recoveryCode}
          name="recoveryCode"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
          placeholder="xxxxx-xxxxx"
          required
          autoFocus
          className="font-mono"
        />
        <Button type="submit" variant="primary" size="large" isPending={isPending} className="w-full">
          {texts.submit}
        </Button>
      </FocusedForm>
      <TextLink to={action}>{texts.factor.otherMethod}</TextLink>
    </Step>
  );
}

function PhoneCode({ outcome }: { outcome: OneTimeOutcome }) {
  const { action } = useStep();
  return (
    <>
      <CodeForm outcome={outcome} />
      <Form method="post" action={action}>
        <input type="hidden" name="step" value="send" />
        <input type="hidden" name="factorId" value={outcome.phone?.factorId} />
        <SendAgain attempt={outcome.phone?.challengeId} />
      </Form>
    </>
  );
}

function SendToPhone({ id, ending }: { id: string; ending: string }) {
  const texts = useTexts(oneTimeTexts).factor;
  const { action } = useStep();
  return (
    <Form method="post" action={action}>
      <input type="hidden" name="step" value="send" />
      <input type="hidden" name="factorId" value={id} />
      <Button type="submit" size="large" className="w-full">
        {texts.sendTo(ending)}
      </Button>
    </Form>
  );
}
