/** Links with which a user signs in or sets a new password: by email, or to copy. */
import { useState } from 'react';
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import type { UserDetail } from './user-detail.server.ts';
import { UserForm, useIsPending } from './user-form.tsx';
import type { UsersOutcome } from './users.server.ts';

/** Empty for users without an email address. */
export function LinksCard({ user, outcome }: { user: UserDetail; outcome: UsersOutcome | undefined }) {
  const texts = useTexts(adminUserTexts).links;
  const isSending = useIsPending('send');
  const isCreating = useIsPending('link');
  const isConfirmed = user.emailConfirmedAt !== null;
  const [kind, setKind] = useState(isConfirmed ? 'recovery' : 'invite');
  if (user.fields.email === '') return null;
  return (
    <Card title={texts.title}>
      <div className="grid gap-4 p-5">
        <UserForm userId={user.id} className="grid gap-3">
          <Select
            label={texts.kind}
            name="kind"
            value={kind}
            onChange={({ target }) => setKind(target.value)}
          >
            <option value="recovery">{texts.kinds.recovery}</option>
            <option value="magiclink">{texts.kinds.magiclink}</option>
            {!isConfirmed && <option value="invite">{texts.kinds.invite}</option>}
          </Select>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" name="intent" value="send" isPending={isSending}>
              {texts.send}
            </Button>
            {!(user.isAdmin && !user.isSelf) && (
              <Button type="submit" name="intent" value="link" isPending={isCreating}>
                {texts.create}
              </Button>
            )}
          </div>
        </UserForm>
        {outcome?.kind === 'link' && <CreatedLink link={outcome.link} />}
      </div>
    </Card>
  );
}

function CreatedLink({ link }: { link: string }) {
  const texts = useTexts(adminUserTexts).links;
  return (
    <div role="status" className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field label={texts.link} value={link} readOnly hint={texts.created} />
      </div>
      <span className="mt-8">
        <CopyButton text={link} label={texts.copy} />
      </span>
    </div>
  );
}
