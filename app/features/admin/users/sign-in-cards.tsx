/** The sign-in methods, second factors and sessions of a user. */
import { adminTexts } from '../../../texts/admin.ts';
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Card } from '../../../ui/card.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { describeDevice } from '../../account/device-name.ts';
import { RowItem, Rows } from '../../account/rows.tsx';
import type { UserDetail } from './user-detail.server.ts';
import { UserButton } from './user-form.tsx';

/** The last sign-in method cannot be unlinked. */
export function IdentitiesCard({ user: { id: userId, identities } }: { user: UserDetail }) {
  const texts = useTexts(adminUserTexts).identities;
  return (
    <Card title={texts.title}>
      <div className="p-5">
        {identities.length === 0 && <p className="text-body text-ink-muted">{texts.none}</p>}
        {identities.length > 0 && (
          <Rows label={texts.title}>
            {identities.map(({ id, provider, name, lastUsedAt }) => (
              <RowItem
                key={id}
                actions={
                  identities.length > 1 && (
                    <UserButton
                      userId={userId}
                      intent="unlink"
                      fields={{ identityId: id }}
                      label={texts.unlinkLabel(provider)}
                    >
                      {texts.unlink}
                    </UserButton>
                  )
                }
              >
                <p className="font-medium">{provider}</p>
                <p className="text-small text-ink-muted">
                  {name}
                  {lastUsedAt !== null && (
                    <>
                      {' · '}
                      {texts.used} <LocalTime seconds={lastUsedAt} />
                    </>
                  )}
                </p>
              </RowItem>
            ))}
          </Rows>
        )}
      </div>
    </Card>
  );
}

/** The verified factors. */
export function FactorsCard({ user: { id: userId, factors } }: { user: UserDetail }) {
  const texts = useTexts(adminTexts).factors;
  return (
    <Card title={texts.title}>
      <div className="grid gap-4 p-5">
        {factors.length === 0 ? (
          <p className="text-body text-ink-muted">{texts.none}</p>
        ) : (
          <>
            <Alert kind="warning">{texts.warning}</Alert>
            <Rows label={texts.list}>
              {factors.map(({ id, kind, name, createdAt }) => {
                const label = name || texts.kinds[kind] || kind;
                const remove = (
                  <UserButton
                    userId={userId}
                    intent="remove-factor"
                    fields={{ factorId: id }}
                    label={texts.remove(label)}
                    variant="danger"
                  >
                    {texts.removeShort}
                  </UserButton>
                );
                return (
                  <RowItem key={id} actions={remove}>
                    {label}{' '}
                    {createdAt !== null && (
                      <span className="text-ink-muted">
                        {texts.added} <LocalTime seconds={createdAt} />
                      </span>
                    )}
                  </RowItem>
                );
              })}
            </Rows>
          </>
        )}
      </div>
    </Card>
  );
}

/** The most recently used first. */
export function SessionsCard({ user: { id: userId, sessions, isSelf } }: { user: UserDetail }) {
  const texts = useTexts(adminUserTexts).sessions;
  const endAll = !isSelf && sessions && sessions.length > 1 && (
    <UserButton userId={userId} intent="end-sessions">
      {texts.endAll}
    </UserButton>
  );
  return (
    <Card title={texts.title} actions={endAll}>
      <div className="p-5">
        {sessions === undefined && <p className="text-body text-ink-muted">{texts.unsupported}</p>}
        {sessions?.length === 0 && <p className="text-body text-ink-muted">{texts.none}</p>}
        {sessions && sessions.length > 0 && (
          <Rows label={texts.title}>
            {sessions.map(({ id, userAgent, address, usedAt, aal }) => {
              const { browser, system } = describeDevice(userAgent);
              const device = [browser, system].filter(Boolean).join(', ') || texts.unknown;
              const end = (
                <UserButton
                  userId={userId}
                  intent="end-session"
                  fields={{ sessionId: id }}
                  label={texts.endLabel(device)}
                >
                  {texts.end}
                </UserButton>
              );
              return (
                <RowItem key={id} actions={end}>
                  <p className="font-medium">{device}</p>
                  <p className="text-small text-ink-muted">
                    {[address, aal].filter(Boolean).join(' · ')}
                    {usedAt !== null && (
                      <>
                        {' · '}
                        {texts.used} <LocalTime seconds={usedAt} />
                      </>
                    )}
                  </p>
                </RowItem>
              );
            })}
          </Rows>
        )}
      </div>
    </Card>
  );
}
