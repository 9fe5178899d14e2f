/** Deletes a user, after the address was typed. */
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import type { UserDetail } from './user-detail.server.ts';
import { UserForm, useIsPending } from './user-form.tsx';

/** Administrators cannot delete themselves here. */
export function DeletionCard({ user }: { user: UserDetail }) {
  const texts = useTexts(adminUserTexts).deletion;
  const isPending = useIsPending('delete');
  return (
    <Card title={texts.title} description={user.isSelf ? texts.self : texts.text}>
      {!user.isSelf && (
        <UserForm userId={user.id} intent="delete" className="grid gap-4 p-5">
          <Select label={texts.mode} name="mode" defaultValue="hard">
            <option value="hard">{texts.hard}</option>
            <option value="soft">{texts.soft}</option>
          </Select>
          <Field label={texts.typed(user.name)} name="typed" autoComplete="off" required />
          <Button type="submit" variant="danger" isPending={isPending} className="justify-self-start">
            {texts.submit}
          </Button>
        </UserForm>
      )}
    </Card>
  );
}
