/** The card of the devices on which the user is signed in. */

import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { Resolved } from '../../lib/resolved.tsx';
import { useSignOut } from '../../shell/sign-out/use-sign-out.ts';
import { devicesTexts } from '../../texts/account-devices.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { CardForm, Success } from './card-form.tsx';
import { describeDevice, isOwnAddress } from './device-name.ts';
import type { AccountOutcome } from './outcome.server.ts';
import type { OwnSession, SessionList } from './own-sessions.server.ts';
import { RowItem, Rows } from './rows.tsx';

/** If the backend does not support the list, only the sign-out buttons are shown. */
export function SessionsCard(props: {
  sessions: MaybePromise<SessionList>;
  outcome: AccountOutcome | undefined;
}) {
  const { sessions, outcome } = props;
  const texts = useTexts(devicesTexts);
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {outcome?.problem && <Alert kind="error">{outcome.problem}</Alert>}
        <Resolved data={sessions} fallback={<ListLoading />}>
          {(list) => <List list={list} />}
        </Resolved>
        <SignOutButtons />
      </div>
    </Card>
  );
}

function List({ list }: { list: SessionList }) {
  const texts = useTexts(devicesTexts);
  if (list.kind === 'unsupported') return null;
  if (list.kind === 'problem') return <Alert kind="warning">{texts.loadFailed}</Alert>;
  if (list.sessions.length === 0) return <p className="text-body text-ink-muted">{texts.none}</p>;
  return (
    <Rows label={texts.title}>
      {list.sessions.map((session) => (
        <Session key={session.id} session={session} />
      ))}
    </Rows>
  );
}

function Session({ session }: { session: OwnSession }) {
  const texts = useTexts(devicesTexts);
  const { id, isCurrent, userAgent, address, usedAt, isTwoFactor } = session;
  const { browser, system } = describeDevice(userAgent);
  const device = browser && system ? texts.deviceOn(browser, system) : browser || system || texts.unknown;
  const addressLabel = isOwnAddress(address) ? texts.thisComputer : address;
  const end = (
    <CardForm intent="end-session" className="contents">
      <input type="hidden" name="sessionId" value={id} />
      <Button type="submit" size="small" aria-label={texts.signOutOf(device)}>
        {texts.signOut}
      </Button>
    </CardForm>
  );
  return (
    <RowItem actions={!isCurrent && end}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{device}</span>
        {isCurrent && <Badge tone="primary">{texts.current}</Badge>}
        {isTwoFactor && <Badge>{texts.twoFactor}</Badge>}
      </p>
      <p className="text-small text-ink-muted">
        {texts.lastUsed} <LocalTime seconds={usedAt} />
        {addressLabel && ` ${texts.from(addressLabel)}`}
      </p>
    </RowItem>
  );
}

/** A toast shows the result; without scripts, a separate page. */
function SignOutButtons() {
  const texts = useTexts(devicesTexts);
  const { Form, onSubmit } = useSignOut();
  return (
    <div className="flex flex-wrap gap-3">
      {(['others', 'global'] as const).map((scope) => (
        <Form key={scope} method="post" action="/sign-out" onSubmit={onSubmit}>
          <input type="hidden" name="scope" value={scope} />
          <Button type="submit">{scope === 'others' ? texts.signOutOthers : texts.signOutEverywhere}</Button>
        </Form>
      ))}
    </div>
  );
}

function ListLoading() {
  const { loading } = useTexts(devicesTexts);
  return (
    <Loading label={loading}>
      <div className="grid gap-4 rounded-control border border-line p-3.5">
        <Skeleton className="h-4 w-48 max-w-full" />
        <Skeleton className="h-3 w-64 max-w-full" />
      </div>
    </Loading>
  );
}
