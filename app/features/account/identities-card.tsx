/** The card of the account's sign-in methods. */
import { signInMethodTexts } from '../../texts/account-sign-in-methods.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Account } from './account.server.ts';
import { CardForm, Success } from './card-form.tsx';
import {
  ACCOUNT,
  CancelLink,
  ConfirmDialog,
  ConfirmLink,
  confirmPath,
  useConfirmation,
} from './confirm-dialog.tsx';
import type { OwnIdentity } from './identities.server.ts';
import type { AccountOutcome } from './outcome.server.ts';
import { RowItem, Rows } from './rows.tsx';

/** Lists the sign-in methods. The last one cannot be unlinked. */
export function IdentitiesCard(props: { account: Account; outcome: AccountOutcome | undefined }) {
  const { account, outcome } = props;
  const { identities, linkable, linkProblem } = account;
  const texts = useTexts(signInMethodTexts);
  const confirmedId = useConfirmation('unlink');
  const selected = identities.length > 1 ? identities.find(({ id }) => id === confirmedId) : undefined;
  const problem = outcome?.problem ?? (outcome ? undefined : linkProblem);
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {problem && !selected && <Alert kind="error">{problem}</Alert>}
        {identities.length === 0 && <p className="text-body text-ink-muted">{texts.none}</p>}
        {identities.length > 0 && (
          <Rows label={texts.title}>
            {identities.map((identity) => (
              <Identity key={identity.id} identity={identity} isOnly={identities.length === 1} />
            ))}
          </Rows>
        )}
        {selected && <Unlinking identity={selected} problem={problem} />}
        {linkable.length > 0 && (
          <div className="flex flex-wrap gap-3">
            {linkable.map(({ name, title, icon }) => (
              // No prefetch: the request starts the linking.
              <ButtonLink
                key={name}
                to={`${ACCOUNT}?${new URLSearchParams({ link: name })}`}
                reloadDocument
                discover="none"
              >
                <Icon name={icon} className="size-[1.1rem]" />
                {texts.connect(title)}
              </ButtonLink>
            ))}
          </div>
        )}
      </div>
    </Card>
  );
}

function Identity({ identity, isOnly }: { identity: OwnIdentity; isOnly: boolean }) {
  const texts = useTexts(signInMethodTexts);
  const { id, name } = identity;
  const service = useTitle(identity);
  const unlink = (
    <ConfirmLink to={confirmPath('unlink', id)} label={texts.disconnectFrom(service)}>
      {texts.disconnect}
    </ConfirmLink>
  );
  return (
    <RowItem actions={!isOnly && unlink}>
      <p className="font-medium">{service}</p>
      {name && (
        <p className="text-small text-ink-muted">
          <BreakableText text={name} />
        </p>
      )}
    </RowItem>
  );
}

function Unlinking({ identity, problem }: { identity: OwnIdentity; problem: string | undefined }) {
  const texts = useTexts(signInMethodTexts);
  const service = useTitle(identity);
  return (
    <ConfirmDialog title={texts.confirmTitle(service)} text={texts.confirmText(service)}>
      <div className="grid gap-4">
        {problem && <Alert kind="error">{problem}</Alert>}
        <CardForm intent="unlink" className="flex flex-wrap justify-end gap-2">
          {(isPending) => (
            <>
              <input type="hidden" name="identityId" value={identity.id} />
              <CancelLink>{texts.cancel}</CancelLink>
              <Button type="submit" variant="danger" isPending={isPending}>
                {texts.disconnect}
              </Button>
            </>
          )}
        </CardForm>
      </div>
    </ConfirmDialog>
  );
}

/** Returns the display name of a sign-in method, in the language of the page. */
function useTitle({ provider, title }: OwnIdentity): string {
  const { identifiers } = useTexts(signInMethodTexts);
  return Object.hasOwn(identifiers, provider) ? identifiers[provider as keyof typeof identifiers] : title;
}
