import {
  type ActionArgs,
  Alert,
  Button,
  Card,
  EmptyState,
  Field,
  type LoaderArgs,
  type MetaArgs,
  type PageProps,
  pageMeta,
  Select,
} from 'greenroom/app';
import { requireUser } from 'greenroom/app/server';
import { useEffect, useRef } from 'react';
import { data, Form, redirect } from 'react-router';
import { changeMembers, type MemberOutcome } from '../features/teams/member-actions.server.ts';
import { InvitationRow, MemberRow } from '../features/teams/member-rows.tsx';
import { isManager } from '../features/teams/roles.ts';
import { requireTeam } from '../features/teams/team.server.ts';
import { usePending } from '../features/use-pending.ts';

/** Loads the members of the team and, for owners and admins, its open invitations. */
export async function loader({ context, params }: LoaderArgs) {
  const { client, team } = await requireTeam({ context, params });
  const open = client
    .from('invitations')
    .select('id, email, role, expires_at')
    .eq('team_id', team.id)
    .is('accepted_at', null)
    .order('created_at')
    .throwOnError();
  const [members, invitations] = await Promise.all([
    client.rpc('team_members', { team: team.id }).throwOnError(),
    open,
  ]);
  const userId = requireUser(context).sub;
  return { userId, role: team.role, members: members.data, invitations: invitations.data };
}

/** Changes members and invitations. A user who leaves returns to the list of teams. */
export async function action({ context, params, request }: ActionArgs) {
  const { client, team } = await requireTeam({ context, params });
  const form = await request.formData();
  const outcome = await changeMembers(client, team.id, form);
  if (outcome.problem !== undefined) return data(outcome, { status: 422 });
  const hasLeft = form.get('intent') === 'remove' && form.get('id') === requireUser(context).sub;
  return hasLeft ? redirect('/teams') : outcome;
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Members', description: 'The members of a team.', isPrivate: true, matches });
}

export default function Members({
  loaderData: { userId, role, members, invitations },
  actionData,
}: PageProps<typeof loader, typeof action>) {
  return (
    <>
      {actionData?.problem && <Alert kind="error">{actionData.problem}</Alert>}
      {actionData?.invited && <Alert kind="success">An invitation was sent to {actionData.invited}.</Alert>}
      {isManager(role) && <InviteCard outcome={actionData} />}
      <Card title="Members">
        <ul className="divide-y divide-line">
          {members.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isReader={member.user_id === userId}
              readerRole={role}
            />
          ))}
        </ul>
      </Card>
      {isManager(role) && (
        <Card title="Open invitations">
          {invitations.length === 0 ? (
            <EmptyState
              icon="mail"
              title="No open invitations"
              text="Invited people appear here until they accept."
            />
          ) : (
            <ul className="divide-y divide-line">
              {invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          )}
        </Card>
      )}
    </>
  );
}

/** The form is empty again after an invitation, and keeps its values and the focus otherwise. */
function InviteCard({ outcome }: { outcome: MemberOutcome | undefined }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome?.invited !== undefined) form.current?.reset();
  }, [outcome]);
  return (
    <Card title="Invite a member" description="The link of the mail is valid for 7 days.">
      <Form ref={form} method="post" className="flex flex-wrap items-end gap-3 p-5">
        <div className="min-w-56 grow">
          <Field
            label="Email address"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="off"
          />
        </div>
        <div className="w-full sm:w-36">
          <Select label="Role" name="role" defaultValue="member">
            <option value="member">Member</option>
            <option value="admin">Admin</option>
          </Select>
        </div>
        <Button
          type="submit"
          name="intent"
          value="invite"
          variant="primary"
          size="large"
          isPending={usePending('invite')}
        >
          Send invitation
        </Button>
      </Form>
    </Card>
  );
}
