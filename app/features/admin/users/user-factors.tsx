/**
 * The second factors of one user, each with a button that removes it. It is a separate page, so it works
 * without scripts.
 */
import { Form, useNavigation } from 'react-router';
import { adminTexts } from '../../../texts/admin.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { BreakableText } from '../../../ui/breakable-text.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import type { UserFactor, UserFactors as UserWithFactors } from './user-factors.server.ts';

/** Lists the factors. */
export function UserFactors({ user }: { user: UserWithFactors }) {
  const texts = useTexts(adminTexts).factors;
  return (
    <Page>
      <PageHeader
        title={texts.title}
        description={<BreakableText text={user.name} />}
        actions={<ButtonLink to="/admin/users">{texts.toUsers}</ButtonLink>}
      />
      <Card title={texts.list}>
        <div className="grid gap-4 p-5">
          {user.factors.length === 0 ? (
            <p className="text-body text-ink-muted">{texts.none}</p>
          ) : (
            <>
              <Alert kind="warning">{texts.warning}</Alert>
              <ul className="grid gap-3" aria-label={texts.list}>
                {user.factors.map((factor) => (
                  <Row key={factor.id} userId={user.id} factor={factor} />
                ))}
              </ul>
            </>
          )}
        </div>
      </Card>
    </Page>
  );
}

function Row({ userId, factor: { id, kind, name, createdAt } }: { userId: string; factor: UserFactor }) {
  const texts = useTexts(adminTexts).factors;
  const { state, formData } = useNavigation();
  const label = name || texts.kinds[kind] || kind;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 text-body [overflow-wrap:anywhere]">
        {label}{' '}
        <span className="text-ink-muted">
          {texts.added} <LocalTime seconds={createdAt} />
        </span>
      </p>
      <Form method="post" action="/admin/users">
        <input type="hidden" name="intent" value="remove-factor" />
        <input type="hidden" name="userId" value={userId} />
        <input type="hidden" name="factorId" value={id} />
        <Button
          type="submit"
          variant="danger"
          size="small"
          isPending={state !== 'idle' && formData?.get('factorId') === id}
          aria-label={texts.remove(label)}
        >
          {texts.removeShort}
        </Button>
      </Form>
    </li>
  );
}
