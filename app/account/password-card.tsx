/** A new password. */
import { MIN_PASSWORD_CHARACTERS } from '../login/login-view.ts';
import { PasswordField } from '../login/password-field.tsx';
import { accountTexts } from '../texts/account.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import type { AccountOutcome } from './outcome.server.ts';
import { SectionForm, Success } from './section-form.tsx';

/** See the head of this file. */
export function PasswordCard({ outcome }: { outcome: AccountOutcome | undefined }) {
  const texts = useTexts(accountTexts).password;
  return (
    <Card title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        <SectionForm intent="password" outcome={outcome}>
          {(isPending) => (
            <>
              <PasswordField
                isNew
                label={texts.field}
                error={outcome?.problem}
                hint={texts.hint(MIN_PASSWORD_CHARACTERS)}
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
