/** The card of the email address. */
import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import type { Account } from './account.server.ts';
import { CardForm, Success } from './card-form.tsx';
import type { AccountOutcome } from './outcome.server.ts';
import { SendAgainForm } from './send-again-form.tsx';

/** Shows the email address, the pending one, and the form to change it. */
export function EmailCard({ account, outcome }: { account: Account; outcome: AccountOutcome | undefined }) {
  const texts = useTexts(accountTexts).email;
  const { email, newEmail, waits } = account;
  const { problem, typed } = outcome ?? {};
  const isAboutAddress = typed !== undefined;
  return (
    <Card
      headingLevel={3}
      title={texts.title}
      description={email ? <BreakableText text={texts.current(email)} /> : texts.none}
    >
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {problem && !isAboutAddress && <Alert kind="error">{problem}</Alert>}
        {newEmail && (
          <div className="grid gap-3 border-b border-line pb-5">
            <p className="text-body">
              <BreakableText text={texts.pending(newEmail, email)} />
            </p>
            <SendAgainForm intent="resend-email" wait={waits.email} message="email" />
          </div>
        )}
        <CardForm intent="email" outcome={outcome}>
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
                defaultValue={typed}
                error={isAboutAddress ? problem : undefined}
              />
              <Button type="submit" isPending={isPending} className="justify-self-start">
                {texts.save}
              </Button>
            </>
          )}
        </CardForm>
      </div>
    </Card>
  );
}
