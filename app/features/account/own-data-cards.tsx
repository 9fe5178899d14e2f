/** The cards to export the user's data, and to delete the account. */

import { withBase } from '../../lib/page/base-path.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import { ownDataTexts } from '../../texts/account-own-data.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordField } from '../login/password-field.tsx';
import type { Account } from './account.server.ts';
import { CardForm } from './card-form.tsx';
import { ACCOUNT, CancelLink, ConfirmDialog, confirmPath, useConfirmation } from './confirm-dialog.tsx';
import { confirmationWord } from './confirmation-word.ts';
import type { AccountOutcome } from './outcome.server.ts';

/** Path of the export, below the app's base. */
const EXPORT = `${ACCOUNT}/export`;

/** The export. `hasFailed`: the requested export failed. */
export function ExportCard({ hasFailed }: { hasFailed: boolean }) {
  const texts = useTexts(ownDataTexts);
  const { baseURL } = usePage().config;
  return (
    <Card headingLevel={3} title={texts.exportTitle} description={texts.exportLead}>
      <div className="grid gap-4 p-5">
        {hasFailed && <Alert kind="error">{texts.exportFailed}</Alert>}
        {/* A plain link, because the response is a file. */}
        <a href={withBase(EXPORT, baseURL)} className={buttonClass({}, 'justify-self-start')}>
          {texts.exportButton}
        </a>
      </div>
    </Card>
  );
}

/** Opens a confirmation, whose form deletes the account. */
export function DeletionCard(props: { account: Account; outcome: AccountOutcome | undefined }) {
  const texts = useTexts(ownDataTexts);
  const isConfirming = useConfirmation('delete') !== undefined;
  return (
    <Card headingLevel={3} title={texts.deleteTitle} description={texts.deleteLead}>
      <div className="grid gap-4 p-5">
        {/* Without the card's anchor, because browsers focus the confirmation's field only in a page without one. */}
        <ButtonLink
          to={confirmPath('delete')}
          preventScrollReset
          variant="danger"
          className="justify-self-start"
        >
          {texts.deleteButton}
        </ButtonLink>
        {isConfirming && (
          <ConfirmDialog title={texts.confirmTitle} text={texts.confirmText}>
            <DeletionForm {...props} />
          </ConfirmDialog>
        )}
      </div>
    </Card>
  );
}

function DeletionForm({ account, outcome }: { account: Account; outcome: AccountOutcome | undefined }) {
  const texts = useTexts(ownDataTexts);
  const word = confirmationWord(account, texts.confirmationWord);
  const mayHavePassword =
    account.identities.some(({ provider }) => provider === 'email' || provider === 'phone') ||
    outcome?.passwordProblem !== undefined;
  return (
    <CardForm intent="delete" outcome={outcome} isAnchored={false}>
      {(isPending) => (
        <>
          <Field
            label={<BreakableText text={texts.confirmationField(word)} />}
            name="word"
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            defaultValue={outcome?.typed}
            error={outcome?.problem}
          />
          {mayHavePassword && (
            <PasswordField isNew={false} error={outcome?.passwordProblem} hint={texts.passwordHint} />
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <CancelLink>{texts.cancel}</CancelLink>
            <Button type="submit" variant="danger" isPending={isPending}>
              {texts.confirm}
            </Button>
          </div>
        </>
      )}
    </CardForm>
  );
}
