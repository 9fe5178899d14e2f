/** The forms that change a user, and the conflict with another administrator's change. */
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { MetadataField } from './metadata-field.tsx';
import type { UserDetail } from './user-detail.server.ts';
import type { FieldConflict, UserFields } from './user-edit.ts';
import { UserForm, useIsPending } from './user-form.tsx';
import type { UsersOutcome } from './users.server.ts';

interface CardProps {
  user: UserDetail;
  outcome: UsersOutcome | undefined;
}

/**
 * Returns the typed values after a failed attempt, otherwise those of the user, and the state that the form is based on: after a
 * conflict, the state that the administrator has seen.
 */
function formState({ user, outcome }: CardProps, card: string): { shown: UserFields; based: string } {
  const isOwn = outcome?.intent === 'edit' && outcome.typed.card === card;
  if (!isOwn) return { shown: user.fields, based: JSON.stringify(user.fields) };
  const shown = { ...user.fields, ...outcome.typed };
  return { shown, based: outcome.kind === 'conflict' ? outcome.based : (outcome.typed.based ?? '{}') };
}

/** Addresses, role and password. */
export function AccountCard(props: CardProps) {
  const texts = useTexts(adminUserTexts).account;
  const { shown, based } = formState(props, 'account');
  const isPending = useIsPending('edit', { card: 'account' });
  return (
    <Card title={texts.title}>
      <UserForm
        userId={props.user.id}
        intent="edit"
        fields={{ card: 'account', based }}
        className="grid gap-4 p-5"
      >
        <Field label={texts.email} name="email" type="email" defaultValue={shown.email} autoComplete="off" />
        <Field label={texts.phone} name="phone" type="tel" defaultValue={shown.phone} autoComplete="off" />
        <Field
          label={texts.role}
          name="role"
          defaultValue={shown.role}
          hint={texts.roleHint}
          maxLength={100}
        />
        <Field
          label={texts.password}
          name="password"
          type="password"
          hint={texts.passwordHint}
          autoComplete="new-password"
        />
        <Checkbox label={texts.confirm} name="confirm" defaultChecked />
        <Button type="submit" variant="primary" isPending={isPending} className="justify-self-start">
          {texts.save}
        </Button>
      </UserForm>
    </Card>
  );
}

/** Metadata of the user and of the app. */
export function MetadataCard(props: CardProps) {
  const texts = useTexts(adminUserTexts).metadata;
  const { shown, based } = formState(props, 'metadata');
  const isPending = useIsPending('edit', { card: 'metadata' });
  return (
    <Card title={texts.title}>
      <UserForm
        userId={props.user.id}
        intent="edit"
        fields={{ card: 'metadata', based }}
        className="grid gap-4 p-5"
      >
        <MetadataField
          label={texts.user}
          name="userMetadata"
          defaultValue={shown.userMetadata}
          hint={texts.userHint}
        />
        <MetadataField
          label={texts.app}
          name="appMetadata"
          defaultValue={shown.appMetadata}
          hint={texts.appHint}
        />
        <Button type="submit" isPending={isPending} className="justify-self-start">
          {texts.save}
        </Button>
      </UserForm>
    </Card>
  );
}

/** Both values of each field that another administrator has changed. */
export function Conflict({ conflicts }: { conflicts: readonly FieldConflict[] }) {
  const { conflict, fields } = useTexts(adminUserTexts);
  return (
    <Alert kind="error" title={conflict.title}>
      <p>{conflict.text}</p>
      {conflicts.map(({ field, theirs, yours }) => (
        <dl key={field} className="mt-2 grid gap-x-3 sm:grid-cols-[10rem_1fr]">
          <dt className="col-span-full font-medium">{fields[field]}</dt>
          <dt>{conflict.theirs}</dt>
          <dd className="whitespace-pre-wrap">{theirs || conflict.empty}</dd>
          <dt>{conflict.yours}</dt>
          <dd className="whitespace-pre-wrap">{yours || conflict.empty}</dd>
        </dl>
      ))}
    </Alert>
  );
}
