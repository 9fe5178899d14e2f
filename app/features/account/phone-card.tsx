/** The card of the phone number for sign-in. */

import { displayPhone } from '../../session/person-name.ts';
import { phoneTexts } from '../../texts/account-phone.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { CodeField } from '../login/code-field.tsx';
import type { Account } from './account.server.ts';
import { CardForm, Success } from './card-form.tsx';
import type { AccountOutcome } from './outcome.server.ts';
import { SendAgainForm } from './send-again-form.tsx';

interface PhoneProps {
  account: Account;
  outcome: AccountOutcome | undefined;
}

/** Shows the phone number, the pending one, and the form to change it. */
export function PhoneCard({ account, outcome }: PhoneProps) {
  const texts = useTexts(phoneTexts);
  const { phone, newPhone } = account;
  const { problem, typed } = outcome ?? {};
  const isAboutNumber = typed !== undefined;
  return (
    <Card
      headingLevel={3}
      title={texts.title}
      description={phone ? texts.current(displayPhone(phone)) : texts.none}
    >
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {problem && !isAboutNumber && <Alert kind="error">{problem}</Alert>}
        {newPhone && <Confirmation key={newPhone} account={account} outcome={outcome} />}
        <CardForm intent="phone" outcome={outcome}>
          {(isPending) => (
            <>
              <Field
                label={texts.field}
                name="phone"
                type="tel"
                autoComplete="tel"
                required
                defaultValue={typed}
                error={isAboutNumber ? problem : undefined}
              />
              <Button type="submit" isPending={isPending} className="justify-self-start">
                {phone ? texts.change : texts.add}
              </Button>
            </>
          )}
        </CardForm>
      </div>
    </Card>
  );
}

function Confirmation({ account, outcome }: PhoneProps) {
  const texts = useTexts(phoneTexts);
  return (
    <div className="grid gap-4 border-b border-line pb-5">
      <p className="text-body">{texts.pending(displayPhone(account.newPhone ?? ''))}</p>
      <CardForm intent="confirm-own-phone" outcome={outcome}>
        {(isPending) => (
          <>
            <CodeField label={texts.code} error={outcome?.codeProblem} />
            <Button type="submit" variant="primary" isPending={isPending} className="justify-self-start">
              {texts.confirm}
            </Button>
          </>
        )}
      </CardForm>
      <SendAgainForm intent="resend-phone" wait={account.waits.phone} />
    </div>
  );
}
