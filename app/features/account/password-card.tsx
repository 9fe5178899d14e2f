/**
 * The card of the password, with the additional fields that the backend requires: a code, the current
 * password, or both.
 */

import { displayPhone } from '../../session/person-name.ts';
import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CodeField } from '../login/code-field.tsx';
import { PasswordField } from '../login/password-field.tsx';
import type { Account } from './account.server.ts';
import { CardForm, Success } from './card-form.tsx';
import type { AccountOutcome, PasswordRequirements } from './outcome.server.ts';
import { SendAgainForm } from './send-again-form.tsx';

const NO_REQUIREMENTS: PasswordRequirements = { code: false, current: false };

/**
 * The fields stay mounted when others are added, so that with scripts the user need not enter the password
 * twice.
 */
export function PasswordCard(props: { account: Account; outcome: AccountOutcome | undefined }) {
  const { account, outcome } = props;
  const texts = useTexts(accountTexts).password;
  const {
    requirements = NO_REQUIREMENTS,
    formProblem,
    currentProblem,
    codeProblem,
    problem,
    rules,
  } = outcome ?? {};
  const address = account.email || displayPhone(account.phone);
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {formProblem && <Alert kind="error">{formProblem}</Alert>}
        {requirements.code && (
          <Alert kind="info">
            <BreakableText text={texts.codeSent(address)} />
          </Alert>
        )}
        <CardForm intent="password" outcome={outcome}>
          {(isPending) => (
            <>
              {requirements.code && <CodeField label={texts.code} error={codeProblem} />}
              {requirements.current && (
                <PasswordField isNew={false} name="current" label={texts.current} error={currentProblem} />
              )}
              <PasswordField isNew label={texts.field} error={problem} rules={rules} />
              <Button type="submit" isPending={isPending} className="justify-self-start">
                {texts.save}
              </Button>
            </>
          )}
        </CardForm>
        {requirements.code && (
          <SendAgainForm intent="reauthenticate" wait={account.waits.password}>
            {requirements.current && <input type="hidden" name="current" value="" />}
          </SendAgainForm>
        )}
      </div>
    </Card>
  );
}
