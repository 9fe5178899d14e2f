/** The card of phones as second factors. */

import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { CodeField } from '../login/code-field.tsx';
import { CardForm, Success } from './card-form.tsx';
import { FactorRows } from './factor-rows.tsx';
import type { OwnFactor } from './factors.server.ts';
import type { AccountOutcome, PhoneEnrollment } from './outcome.server.ts';

/** `factors` are all of the account's. */
export function PhonesCard(props: { factors: readonly OwnFactor[]; outcome: AccountOutcome | undefined }) {
  const { factors, outcome } = props;
  const texts = useTexts(accountTexts).phones;
  const phones = factors.filter(({ kind }) => kind === 'phone');
  const { phoneEnrollment, problem, typed } = outcome ?? {};
  const isAboutNumber = typed !== undefined;
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {problem && !phoneEnrollment && !isAboutNumber && <Alert kind="error">{problem}</Alert>}
        <FactorRows factors={phones} card="phones" texts={texts} />
        {phoneEnrollment ? (
          <Confirmation key={phoneEnrollment.challengeId} enrollment={phoneEnrollment} outcome={outcome} />
        ) : (
          <CardForm intent="enroll-phone" outcome={outcome}>
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
                  {texts.send}
                </Button>
              </>
            )}
          </CardForm>
        )}
      </div>
    </Card>
  );
}

function Confirmation(props: { enrollment: PhoneEnrollment; outcome: AccountOutcome | undefined }) {
  const { enrollment, outcome } = props;
  const texts = useTexts(accountTexts).phones;
  return (
    <div className="grid gap-4">
      <CardForm intent="confirm-phone" outcome={outcome}>
        {(isPending) => (
          <>
            {Object.entries(enrollment).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <CodeField label={texts.code(enrollment.phone)} error={outcome?.problem} />
            <Button type="submit" variant="primary" isPending={isPending} className="justify-self-start">
              {texts.confirm}
            </Button>
          </>
        )}
      </CardForm>
      <CardForm intent="cancel">
        <input type="hidden" name="card" value="phones" />
        <input type="hidden" name="factorId" value={enrollment.factorId} />
        <Button type="submit" variant="ghost" size="small" className="-ms-3 justify-self-start">
          {texts.cancel}
        </Button>
      </CardForm>
    </div>
  );
}
