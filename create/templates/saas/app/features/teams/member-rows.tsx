import { Avatar, Badge, Button, Icon, LocalTime } from 'greenroom/app';
import { useState } from 'react';
import { Form } from 'react-router';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { usePending } from '../use-pending.ts';
import { grantableRoles, ROLE_NAMES, type Role } from './roles.ts';

/** A member as the database returns it; `name` is null if the account has none. */
export interface Member {
  user_id: string;
  email: string;
  name: string | null;
  role: Role;
}

/** A member with the controls that the role of the reader allows. */
export function MemberRow(props: { member: Member; isReader: boolean; readerRole: Role }) {
  const { member, isReader, readerRole } = props;
  const name = member.name || member.email;
  const roles = grantableRoles(readerRole, member.role);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <Avatar name={name} />
      <div className="min-w-0 grow basis-44">
        <p className="truncate font-medium">
          {name}
          {isReader && <span className="ms-2 text-small font-normal text-ink-muted">You</span>}
        </p>
        {member.name && <p className="truncate text-small text-ink-muted">{member.email}</p>}
      </div>
      <div className="flex items-center gap-2">
        {roles.length > 0 ? (
          <RoleForm member={member} roles={roles} name={name} />
        ) : (
          <Badge tone={member.role === 'owner' ? 'primary' : 'neutral'}>{ROLE_NAMES[member.role]}</Badge>
        )}
        {(isReader || roles.length > 0) && <RemoveDialog member={member} name={name} isReader={isReader} />}
      </div>
    </li>
  );
}

/** The button appears when another role is selected; without scripts, it is always there. */
function RoleForm({ member, roles, name }: { member: Member; roles: readonly Role[]; name: string }) {
  const [selected, setSelected] = useState<string>(member.role);
  const save = (
    <Button
      type="submit"
      name="intent"
      value="role"
      size="small"
      variant="primary"
      aria-label={`Save the role of ${name}`}
      isPending={usePending('role', member.user_id)}
    >
      Save
    </Button>
  );
  return (
    <Form method="post" className="flex items-center gap-2">
      <input type="hidden" name="id" value={member.user_id} />
      <div className="relative">
        <select
          name="role"
          aria-label={`Role of ${name}`}
          defaultValue={member.role}
          onChange={(event) => setSelected(event.target.value)}
          className="control h-9 cursor-pointer appearance-none ps-3 pe-8 text-body sm:h-8"
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {ROLE_NAMES[role]}
            </option>
          ))}
        </select>
        <Icon
          name="chevron"
          className="pointer-events-none absolute end-2.5 top-1/2 size-4 -translate-y-1/2 text-ink-muted"
        />
      </div>
      {selected === member.role ? <noscript>{save}</noscript> : save}
    </Form>
  );
}

function RemoveDialog({ member, name, isReader }: { member: Member; name: string; isReader: boolean }) {
  return (
    <ConfirmDialog
      trigger={
        <Button size="small" variant="ghost" aria-label={isReader ? 'Leave team' : `Remove ${name}`}>
          {isReader ? 'Leave' : 'Remove'}
        </Button>
      }
      title={isReader ? 'Leave this team?' : `Remove ${name}?`}
      text={
        isReader
          ? 'You lose access to its projects. Only a new invitation brings you back.'
          : 'The member loses access to the projects of this team at once.'
      }
      action={isReader ? 'Leave team' : 'Remove member'}
      intent="remove"
      id={member.user_id}
    />
  );
}

/** An invitation that has not been accepted. */
export interface OpenInvitation {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}

/** An open invitation, which can be sent again or revoked. */
export function InvitationRow({
  invitation: { id, email, role, expires_at },
}: {
  invitation: OpenInvitation;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 grow basis-44">
        <p className="truncate font-medium">{email}</p>
        <p className="text-small text-ink-muted">
          {ROLE_NAMES[role]}, valid until <LocalTime seconds={Date.parse(expires_at) / 1000} />
        </p>
      </div>
      <Form method="post" className="flex gap-2">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="role" value={role} />
        <Button
          type="submit"
          name="intent"
          value="invite"
          size="small"
          aria-label={`Send again to ${email}`}
          isPending={usePending('invite', id)}
        >
          Send again
        </Button>
        <Button
          type="submit"
          name="intent"
          value="revoke"
          size="small"
          variant="ghost"
          aria-label={`Revoke the invitation of ${email}`}
          isPending={usePending('revoke', id)}
        >
          Revoke
        </Button>
      </Form>
    </li>
  );
}
