/** OAuth applications with access to the account, and the revocation of that access. */

import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { Resolved } from '../../lib/resolved.tsx';
import { connectedAppsTexts } from '../../texts/account-connected-apps.ts';
import { consentTexts } from '../../texts/consent.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { describeScopes } from '../consent/describe-scopes.ts';
import type { ApplicationList, OwnApplication } from './applications.server.ts';
import { CardForm, Success } from './card-form.tsx';
import { CancelLink, ConfirmDialog, ConfirmLink, confirmPath, useConfirmation } from './confirm-dialog.tsx';
import type { AccountOutcome } from './outcome.server.ts';
import { RowItem, Rows } from './rows.tsx';

/** Hidden if the backend does not support applications, and while the list is pending. */
export function ApplicationsCard(props: {
  applications: MaybePromise<ApplicationList>;
  outcome: AccountOutcome | undefined;
}) {
  const { applications, outcome } = props;
  const texts = useTexts(connectedAppsTexts);
  return (
    <Resolved data={applications} fallback={null}>
      {(list) =>
        list.kind !== 'unsupported' && (
          <Card headingLevel={3} title={texts.title} description={texts.lead}>
            <div className="grid gap-4 p-5">
              <Success outcome={outcome} />
              {outcome?.problem && <Alert kind="error">{outcome.problem}</Alert>}
              <List list={list} />
            </div>
          </Card>
        )
      }
    </Resolved>
  );
}

function List({ list }: { list: Exclude<ApplicationList, { kind: 'unsupported' }> }) {
  const texts = useTexts(connectedAppsTexts);
  const confirmedId = useConfirmation('application');
  if (list.kind === 'problem') return <Alert kind="warning">{texts.loadFailed}</Alert>;
  const { applications } = list;
  if (applications.length === 0) return <p className="text-body text-ink-muted">{texts.none}</p>;
  const selected = applications.find(({ id }) => id === confirmedId);
  return (
    <>
      <Rows label={texts.title}>
        {applications.map((application) => (
          <ApplicationRow key={application.id} application={application} />
        ))}
      </Rows>
      {selected && <Revocation application={selected} />}
    </>
  );
}

function ApplicationRow({ application }: { application: OwnApplication }) {
  const texts = useTexts(connectedAppsTexts);
  const { scopes: words } = useTexts(consentTexts);
  const { id, name = texts.unnamed, host, scopes, grantedAt } = application;
  const revoke = (
    <ConfirmLink to={confirmPath('application', id)} label={texts.revokeFor(name)}>
      {texts.revoke}
    </ConfirmLink>
  );
  return (
    <RowItem actions={revoke}>
      <p className="font-medium">{name}</p>
      {host && (
        <p className="text-small text-ink-muted">
          <BreakableText text={host} />
        </p>
      )}
      <ul className="text-small text-ink-muted">
        {describeScopes(scopes, words).map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
      <p className="text-small text-ink-muted">
        {texts.grantedOn} <LocalTime seconds={grantedAt} />
      </p>
    </RowItem>
  );
}

function Revocation({ application: { id, name } }: { application: OwnApplication }) {
  const texts = useTexts(connectedAppsTexts);
  return (
    <ConfirmDialog title={texts.confirmTitle(name ?? texts.unnamed)} text={texts.confirmText}>
      <CardForm intent="revoke-application" className="flex flex-wrap justify-end gap-2">
        {(isPending) => (
          <>
            <input type="hidden" name="clientId" value={id} />
            <CancelLink>{texts.cancel}</CancelLink>
            <Button type="submit" variant="danger" isPending={isPending}>
              {texts.revoke}
            </Button>
          </>
        )}
      </CardForm>
    </ConfirmDialog>
  );
}
