/** Who may sign in: confirmation, ban, and the use of the site as the user. */
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Select } from '../../../ui/select.tsx';
import { BAN_DURATIONS } from './bans.ts';
import type { UserDetail } from './user-detail.server.ts';
import { UserButton, UserForm, useIsPending } from './user-form.tsx';

/** Administrators can neither ban themselves nor impersonate each other. */
export function AccessCard({ user }: { user: UserDetail }) {
  const texts = useTexts(adminUserTexts).access;
  const { id, fields, isSelf, bannedUntil, isDeleted } = user;
  const isUnconfirmed =
    (fields.email !== '' && user.emailConfirmedAt === null) ||
    (fields.phone !== '' && user.phoneConfirmedAt === null);
  return (
    <Card title={texts.title}>
      <div className="grid gap-5 p-5">
        {isUnconfirmed && (
          <UserButton userId={id} intent="confirm">
            {texts.confirm}
          </UserButton>
        )}
        {bannedUntil !== null && (
          <UserButton userId={id} intent="unban">
            {texts.unban}
          </UserButton>
        )}
        {isSelf ? <p className="text-body text-ink-muted">{texts.self}</p> : <BanForm id={id} />}
        {!isSelf && !isDeleted && bannedUntil === null && <Impersonation user={user} />}
      </div>
    </Card>
  );
}

function BanForm({ id }: { id: string }) {
  const texts = useTexts(adminUserTexts).access;
  const isPending = useIsPending('ban');
  return (
    <UserForm userId={id} intent="ban" className="flex flex-wrap items-end gap-3">
      <div className="min-w-40 flex-1">
        <Select label={texts.banFor} name="duration" defaultValue={BAN_DURATIONS[1]}>
          {BAN_DURATIONS.map((hours, index) => (
            <option key={hours} value={hours}>
              {texts.durations[index]}
            </option>
          ))}
        </Select>
      </div>
      <Button type="submit" size="large" isPending={isPending}>
        {texts.ban}
      </Button>
    </UserForm>
  );
}

function Impersonation({ user }: { user: UserDetail }) {
  const texts = useTexts(adminUserTexts).access;
  if (user.isAdmin) return <p className="text-body text-ink-muted">{texts.admin}</p>;
  return (
    <div className="grid gap-2 border-t border-line pt-5">
      <UserButton userId={user.id} intent="impersonate" isDocument>
        {texts.impersonate}
      </UserButton>
      <p className="text-small text-ink-muted">{texts.impersonateHint}</p>
    </div>
  );
}
