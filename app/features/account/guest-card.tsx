/** The card for guests: an email address and a password make the account permanent. */

import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordField } from '../login/password-field.tsx';
import { CardForm, Success } from './card-form.tsx';
import type { AccountOutcome } from './outcome.server.ts';

/** Asks for email address and password. */
export function GuestCard({
  newEmail,
  outcome,
}: {
  newEmail: string | undefined;
  outcome: AccountOutcome | undefined;
}) {
  const all = useTexts(accountTexts);
  const texts = all.guest;
  return (
    <Card title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {newEmail && (
          <p className="text-body text-ink-muted">
            <BreakableText text={texts.pending(newEmail)} />
          </p>
        )}
        <CardForm intent="convert-guest" outcome={outcome}>
          {(isPending) => (
            <>
              <Field
                label={texts.field}
                name="email"
                type="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                required
                defaultValue={outcome?.typed}
                error={outcome?.problem}
              />
              <PasswordField
                isNew
                label={all.password.field}
                error={outcome?.passwordProblem}
                rules={outcome?.rules}
              />
              <Button type="submit" variant="primary" isPending={isPending} className="justify-self-start">
                {texts.save}
              </Button>
            </>
          )}
        </CardForm>
      </div>
    </Card>
  );
}
