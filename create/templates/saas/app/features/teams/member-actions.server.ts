/** Changes of members and invitations. Row-level security and the functions of the migrations check the role. */
import { problemOf, skippedProblem } from '../problem.ts';
import { parseRole } from './roles.ts';
import type { Client } from './team.server.ts';

/** Outcome of a change, for the page. */
export interface MemberOutcome {
  problem?: string | undefined;
  /** Address to which an invitation was sent. */
  invited?: string;
}

/** Runs the change that the button of a form names. */
export async function changeMembers(client: Client, teamId: string, form: FormData): Promise<MemberOutcome> {
  const id = String(form.get('id'));
  const role = parseRole(form.get('role'));
  const members = client.from('memberships');
  switch (form.get('intent')) {
    case 'invite':
      return invite();
    case 'revoke':
      return outcome(
        await client.from('invitations').delete().eq('team_id', teamId).eq('id', id).select('id'),
      );
    case 'remove':
      return outcome(await members.delete().eq('team_id', teamId).eq('user_id', id).select('user_id'));
    case 'role':
      return outcome(
        await members
          .update({ role: role ?? 'member' })
          .eq('team_id', teamId)
          .eq('user_id', id)
          .select('user_id'),
      );
    default:
      return { problem: 'This action does not exist.' };
  }

  async function invite(): Promise<MemberOutcome> {
    const address = String(form.get('email')).trim();
    const { error } = await client.rpc('invite_member', {
      team: teamId,
      address,
      as_role: role === 'admin' ? 'admin' : 'member',
    });
    const problem = problemOf(error);
    return problem === undefined ? { invited: address } : { problem };
  }
}

function outcome({
  data,
  error,
}: {
  data: unknown[] | null;
  error: { code: string; message: string } | null;
}): MemberOutcome {
  return { problem: problemOf(error) ?? skippedProblem(data) };
}
