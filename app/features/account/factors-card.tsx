/** The card of authenticator apps as second factors. */

import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CodeField } from '../login/code-field.tsx';
import type { Account } from './account.server.ts';
import { CardForm, Success } from './card-form.tsx';
import { FactorRows } from './factor-rows.tsx';
import type { AccountOutcome, Enrollment } from './outcome.server.ts';

/** Lists the apps, and adds another one. */
export function FactorsCard({ account, outcome }: { account: Account; outcome: AccountOutcome | undefined }) {
  const texts = useTexts(accountTexts).factors;
  const enrollment = outcome?.enrollment;
  const apps = account.factors.filter(({ kind }) => kind === 'totp');
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {outcome?.problem && !enrollment && <Alert kind="error">{outcome.problem}</Alert>}
        {(apps.length > 0 || !enrollment) && (
          <FactorRows factors={apps} card="factors" texts={{ ...texts, name: texts.app }} />
        )}
        {enrollment ? (
          <SetUp key={enrollment.factorId} enrollment={enrollment} outcome={outcome} />
        ) : (
          <CardForm intent="enroll">
            {(isPending) => (
              <Button type="submit" isPending={isPending} className="justify-self-start">
                {texts.add}
              </Button>
            )}
          </CardForm>
        )}
      </div>
    </Card>
  );
}

/** The form carries the secret, so that a wrong code does not lose it. */
function SetUp({ enrollment, outcome }: { enrollment: Enrollment; outcome: AccountOutcome | undefined }) {
  const texts = useTexts(accountTexts).factors;
  const { factorId, qrCode, secret } = enrollment;
  return (
    <div className="grid gap-4">
      <p className="text-body">{texts.scan}</p>
      <img src={qrCode} alt={texts.qrCode} className="size-44 rounded-control bg-white p-2" />
      <p className="text-small text-ink-muted">
        {texts.secret}:{' '}
        <span className="inline-flex max-w-full items-center gap-1 align-middle">
          <code className="font-mono break-all text-ink">{secret}</code>
          <CopyButton text={secret} label={texts.copySecret} />
        </span>
      </p>
      <CardForm intent="confirm" outcome={outcome}>
        {(isPending) => (
          <>
            {Object.entries({ factorId, qrCode, secret }).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <CodeField label={texts.code} error={outcome?.problem} />
            <Button type="submit" variant="primary" isPending={isPending} className="justify-self-start">
              {texts.confirm}
            </Button>
          </>
        )}
      </CardForm>
      <CardForm intent="cancel">
        <input type="hidden" name="factorId" value={factorId} />
        <Button type="submit" variant="ghost" size="small" className="-ms-3 justify-self-start">
          {texts.cancel}
        </Button>
      </CardForm>
    </div>
  );
}
