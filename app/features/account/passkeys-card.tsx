/** The card of passkeys. Only adding one needs scripts. */
import { useLocation } from 'react-router';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { Resolved } from '../../lib/resolved.tsx';
import { passkeysTexts } from '../../texts/account-passkeys.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { AddCredential } from '../passkeys/add-credential.tsx';
import { CardForm, Success } from './card-form.tsx';
import {
  ACCOUNT,
  CancelLink,
  ConfirmDialog,
  ConfirmLink,
  confirmPath,
  useConfirmation,
} from './confirm-dialog.tsx';
import type { AccountOutcome } from './outcome.server.ts';
import type { OwnPasskey, PasskeyList } from './passkeys.server.ts';
import { RowItem, Rows } from './rows.tsx';

/** Lists the passkeys with rename and remove, and adds another one. */
export function PasskeysCard(props: {
  passkeys: MaybePromise<PasskeyList>;
  outcome: AccountOutcome | undefined;
}) {
  const { passkeys, outcome } = props;
  const texts = useTexts(passkeysTexts);
  const search = new URLSearchParams(useLocation().search);
  const renamed = outcome?.success ? undefined : (search.get('rename') ?? undefined);
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {outcome?.problem && renamed === undefined && <Alert kind="error">{outcome.problem}</Alert>}
        <Resolved data={passkeys} fallback={<ListLoading />}>
          {(list) => <List list={list} renamed={renamed} outcome={outcome} />}
        </Resolved>
        <AddCredential
          key={outcome ? 'sent' : 'fresh'}
          texts={texts}
          run={({ addPasskey }, config) => addPasskey(config)}
        />
      </div>
    </Card>
  );
}

interface ListProps {
  list: PasskeyList;
  /** Id of the passkey that is being renamed. */
  renamed: string | undefined;
  outcome: AccountOutcome | undefined;
}

function List({ list, renamed, outcome }: ListProps) {
  const texts = useTexts(passkeysTexts);
  const confirmedId = useConfirmation('passkey');
  if (list.kind === 'problem') return <Alert kind="warning">{texts.loadFailed}</Alert>;
  const { passkeys } = list;
  if (passkeys.length === 0) return <p className="text-body text-ink-muted">{texts.none}</p>;
  const selected = passkeys.find(({ id }) => id === confirmedId);
  return (
    <>
      <Rows label={texts.title}>
        {passkeys.map((passkey) =>
          passkey.id === renamed ? (
            <Renaming key={passkey.id} passkey={passkey} outcome={outcome} />
          ) : (
            <Passkey key={passkey.id} passkey={passkey} />
          ),
        )}
      </Rows>
      {selected && <Removal passkey={selected} />}
    </>
  );
}

function Passkey({ passkey: { id, name, createdAt, usedAt } }: { passkey: OwnPasskey }) {
  const texts = useTexts(passkeysTexts);
  const displayName = name || texts.unnamed;
  const actions = (
    <>
      <ButtonLink
        to={`${ACCOUNT}?${new URLSearchParams({ rename: id })}`}
        preventScrollReset
        size="small"
        aria-label={texts.renameOf(displayName)}
      >
        {texts.rename}
      </ButtonLink>
      <ConfirmLink to={confirmPath('passkey', id)} label={texts.removeOf(displayName)}>
        {texts.remove}
      </ConfirmLink>
    </>
  );
  return (
    <RowItem actions={actions}>
      <p className="font-medium">{displayName}</p>
      <p className="text-small text-ink-muted">
        {texts.addedOn} <LocalTime seconds={createdAt} />
        {usedAt !== undefined && (
          <>
            , {texts.lastUsed} <LocalTime seconds={usedAt} />
          </>
        )}
      </p>
    </RowItem>
  );
}

function Renaming({ passkey, outcome }: { passkey: OwnPasskey; outcome: AccountOutcome | undefined }) {
  const texts = useTexts(passkeysTexts);
  return (
    <RowItem>
      <CardForm intent="rename-passkey" outcome={outcome}>
        {(isPending) => (
          <>
            <input type="hidden" name="passkeyId" value={passkey.id} />
            <Field
              label={texts.nameField}
              name="name"
              type="text"
              autoComplete="off"
              maxLength={120}
              required
              autoFocus
              defaultValue={outcome?.typed ?? passkey.name}
              error={outcome?.problem}
            />
            <div className="flex flex-wrap gap-2">
              <Button type="submit" isPending={isPending}>
                {texts.save}
              </Button>
              <CancelLink variant="ghost">{texts.cancel}</CancelLink>
            </div>
          </>
        )}
      </CardForm>
    </RowItem>
  );
}

function Removal({ passkey: { id, name } }: { passkey: OwnPasskey }) {
  const texts = useTexts(passkeysTexts);
  return (
    <ConfirmDialog title={texts.confirmTitle(name || texts.unnamed)} text={texts.confirmText}>
      <CardForm intent="remove-passkey" className="flex flex-wrap justify-end gap-2">
        {(isPending) => (
          <>
            <input type="hidden" name="passkeyId" value={id} />
            <CancelLink>{texts.cancel}</CancelLink>
            <Button type="submit" variant="danger" isPending={isPending}>
              {texts.remove}
            </Button>
          </>
        )}
      </CardForm>
    </ConfirmDialog>
  );
}

function ListLoading() {
  const { loading } = useTexts(passkeysTexts);
  return (
    <Loading label={loading}>
      <div className="grid gap-4 rounded-control border border-line p-3.5">
        <Skeleton className="h-4 w-40 max-w-full" />
        <Skeleton className="h-3 w-56 max-w-full" />
      </div>
    </Loading>
  );
}
