/** The email address, and how to change it. */
import { accountTexts } from '../texts/account.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import type { Account } from './account.server.ts';
import type { AccountOutcome } from './outcome.server.ts';
import { SectionForm, Success } from './section-form.tsx';

/** See the head of this file. */
export function EmailCard({ account, outcome }: { account: Account; outcome: AccountOutcome | undefined }) {
  const texts = useTexts(accountTexts).email;
  const { email, newEmail } = account;
  return (
    <Card title={texts.title} description={email ? texts.lead(email) : texts.none}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {newEmail && <p className="text-body text-ink-muted">{texts.pending(newEmail)}</p>}
        <SectionForm intent="email" outcome={outcome}>
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
              <Button type="submit" isPending={isPending} className="justify-self-start">
                {texts.save}
              </Button>
            </>
          )}
        </SectionForm>
      </div>
    </Card>
  );
}
