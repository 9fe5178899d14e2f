/** Creates and invites users. */
import { redirect } from 'react-router';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, audited } from '../shared/as-admin.server.ts';
import { parseMetadata } from './metadata.ts';
import { ChangeProblem, requireClient, unwrap } from './user-change.server.ts';
import { auditTarget, snapshotOf } from './user-edit.ts';
import { mailedLinkTarget } from './user-links.server.ts';

/** Creates a user, or sends an invitation. Redirects to the user. */
export async function addUser(
  args: VisitorArgs,
  admin: Admin,
  form: FormData,
  isInvitation: boolean,
): Promise<Response> {
  const client = await requireClient(args, admin);
  const email = String(form.get('email') ?? '').trim();
  const phone = String(form.get('phone') ?? '').trim();
  if (email === '' && (isInvitation || phone === '')) throw new ChangeProblem('addressNeeded');
  const data = metadataOf(form);
  const name = email || phone;
  const entry = {
    action: isInvitation ? 'user.invite' : 'user.create',
    target: 'users',
    summary: isInvitation ? `Invite ${name}` : `Create ${name}`,
  };
  const isConfirmed = form.get('confirm') !== null;
  const password = String(form.get('password') ?? '');
  let id = '';
  await audited(admin, entry, async () => {
    const { user } = unwrap(
      isInvitation
        ? await client.auth.admin.inviteUserByEmail(email, { data, redirectTo: mailedLinkTarget(args) })
        : await client.auth.admin.createUser({
            ...(email && { email, email_confirm: isConfirmed }),
            ...(phone && { phone, phone_confirm: isConfirmed }),
            ...(password && { password }),
            user_metadata: data,
          }),
    );
    if (!user) throw new ChangeProblem('unknown');
    id = user.id;
    return { after: { target: auditTarget(id), ...snapshotOf(user) } };
  });
  return redirect(
    `/admin/users?${new URLSearchParams({ user: id, notice: isInvitation ? 'invited' : 'created' })}`,
  );
}

function metadataOf(form: FormData): Record<string, unknown> {
  const text = String(form.get('userMetadata') ?? '').trim();
  if (text === '') return {};
  const parsed = parseMetadata(text);
  if ('problem' in parsed) throw new ChangeProblem(parsed.problem, parsed.detail);
  return parsed.value;
}
