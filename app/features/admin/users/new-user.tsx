/** The forms that create or invite a user. */
import { Form, useLocation, useNavigation } from 'react-router';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { ConfirmDialog } from '../../account/confirm-dialog.tsx';
import { listPath, readListQuery } from './list-query.ts';
import { MetadataField } from './metadata-field.tsx';
import type { UsersOutcome } from './users.server.ts';

/** The URL says which form is open. */
export function NewUser({ outcome }: { outcome: UsersOutcome | undefined }) {
  const texts = useTexts(adminUsersTexts).newUser;
  const search = new URLSearchParams(useLocation().search);
  const ask = search.get('ask');
  const isPending = useNavigation().state === 'submitting';
  if (ask !== 'create' && ask !== 'invite') return null;
  const isInvitation = ask === 'invite';
  const closeTo = listPath(readListQuery(search));
  const typed = outcome?.typed ?? {};
  return (
    <ConfirmDialog
      title={isInvitation ? texts.inviteTitle : texts.createTitle}
      text={isInvitation ? texts.inviteText : texts.createText}
      closeTo={closeTo}
    >
      <Form method="post" action={listPath({}, { ask })} className="grid gap-4">
        <input type="hidden" name="intent" value={ask} />
        {outcome?.kind === 'problem' && <Alert kind="error">{outcome.text}</Alert>}
        <Field label={texts.email} name="email" type="email" defaultValue={typed.email} autoComplete="off" />
        {!isInvitation && <Credentials typed={typed} />}
        <MetadataField label={texts.metadata} name="userMetadata" defaultValue={typed.userMetadata ?? '{}'} />
        <div className="flex flex-wrap justify-end gap-2">
          <Cancel to={closeTo} />
          <Button type="submit" variant="primary" isPending={isPending}>
            {isInvitation ? texts.invite : texts.create}
          </Button>
        </div>
      </Form>
    </ConfirmDialog>
  );
}

function Credentials({ typed }: { typed: Record<string, string> }) {
  const texts = useTexts(adminUsersTexts).newUser;
  return (
    <>
      <Field label={texts.phone} name="phone" type="tel" defaultValue={typed.phone} autoComplete="off" />
      <Field
        label={texts.password}
        name="password"
        type="password"
        hint={texts.passwordHint}
        autoComplete="new-password"
      />
      <Checkbox label={texts.confirm} name="confirm" defaultChecked />
    </>
  );
}

function Cancel({ to }: { to: string }) {
  const { cancel } = useTexts(adminUsersTexts);
  return (
    <ButtonLink to={to} preventScrollReset>
      {cancel}
    </ButtonLink>
  );
}
