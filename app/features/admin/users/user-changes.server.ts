/** The forms of one user in the admin area. Each makes one change, with an entry in the audit log. */
import type { User } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { isAdmin } from '../../../session/access.ts';
import { parseBanDuration } from './bans.ts';
import { editUser } from './edit-user.server.ts';
import { impersonateUser } from './impersonate-user.server.ts';
import { isUuid } from './list-query.ts';
import {
  type ChangeContext,
  ChangeProblem,
  type ChangeResult,
  callEndpoint,
  recordChange,
  requireOther,
  unwrap,
} from './user-change.server.ts';
import { nameOf, snapshotOf } from './user-edit.ts';
import { copiedLink, type LinkKind, mailedLinkTarget } from './user-links.server.ts';

type Change = (context: ChangeContext, form: FormData) => Promise<ChangeResult>;

const CHANGES: Record<string, Change> = {
  edit: editUser,
  confirm: confirmUser,
  ban: banUser,
  unban: unbanUser,
  send: sendLink,
  link: createLink,
  unlink: unlinkIdentity,
  'remove-factor': removeFactor,
  'end-session': endSession,
  'end-sessions': endSessions,
  impersonate: impersonateUser,
  delete: deleteUser,
};

/** Returns the change of a form; undefined if it names none. */
export function changeOf(intent: unknown): Change | undefined {
  return typeof intent === 'string' && Object.hasOwn(CHANGES, intent) ? CHANGES[intent] : undefined;
}

/** Returns to the user, with a notice. */
function backTo(userId: string, notice: string): Response {
  return redirect(`/admin/users?${new URLSearchParams({ user: userId, notice })}`);
}

/** Confirms the addresses that the user has. */
export async function confirmUser(context: ChangeContext): Promise<Response> {
  const { client, user } = context;
  const attributes = {
    ...(user.email && { email_confirm: true }),
    ...(user.phone && { phone_confirm: true }),
  };
  if (Object.keys(attributes).length === 0) throw new ChangeProblem('noAddress');
  await recordChange(context, { action: 'confirm', summary: `Confirm ${nameOf(user)}` }, async () =>
    stateOf(unwrap(await client.auth.admin.updateUserById(user.id, attributes))),
  );
  return backTo(user.id, 'confirmed');
}

/** Bans the user for the form's duration. The user stays signed in until the access token expires. */
export async function banUser(context: ChangeContext, form: FormData): Promise<Response> {
  const { client, user } = context;
  requireOther(context);
  const duration = parseBanDuration(String(form.get('duration') ?? ''));
  if (duration === undefined) throw new ChangeProblem('duration');
  await recordChange(context, { action: 'ban', summary: `Ban ${nameOf(user)} for ${duration}` }, async () =>
    stateOf(unwrap(await client.auth.admin.updateUserById(user.id, { ban_duration: duration }))),
  );
  return backTo(user.id, 'banned');
}

export async function unbanUser(context: ChangeContext): Promise<Response> {
  const { client, user } = context;
  await recordChange(context, { action: 'unban', summary: `Lift the ban of ${nameOf(user)}` }, async () =>
    stateOf(unwrap(await client.auth.admin.updateUserById(user.id, { ban_duration: 'none' }))),
  );
  return backTo(user.id, 'unbanned');
}

/** Deletes the user if the form has the typed address. A soft deletion keeps the id. */
export async function deleteUser(context: ChangeContext, form: FormData): Promise<Response> {
  const { client, user } = context;
  requireOther(context);
  const typed = String(form.get('typed') ?? '').trim();
  if (typed.toLowerCase() !== nameOf(user).toLowerCase()) throw new ChangeProblem('typedName');
  const isSoft = form.get('mode') === 'soft';
  const summary = `Delete ${nameOf(user)}${isSoft ? ', keeping the id' : ''}`;
  await recordChange(context, { action: isSoft ? 'soft_delete' : 'delete', summary }, async () => {
    unwrap(await client.auth.admin.deleteUser(user.id, isSoft));
    return null;
  });
  return redirect('/admin/users?notice=deleted');
}

function linkKindOf(form: FormData): LinkKind {
  const kind = form.get('kind');
  if (kind === 'recovery' || kind === 'magiclink' || kind === 'invite') return kind;
  throw new ChangeProblem('unclear');
}

/** Sends a mail with a link. */
async function sendLink(context: ChangeContext, form: FormData): Promise<Response> {
  const { args, client, user } = context;
  const { email } = user;
  const kind = linkKindOf(form);
  if (!email) throw new ChangeProblem('noEmail');
  const redirectTo = mailedLinkTarget(args);
  const send = {
    recovery: () => client.auth.resetPasswordForEmail(email, { redirectTo }),
    magiclink: () =>
      client.auth.signInWithOtp({ email, options: { shouldCreateUser: false, emailRedirectTo: redirectTo } }),
    invite: () => client.auth.admin.inviteUserByEmail(email, { redirectTo }),
  };
  const summary = `Send ${email} a link (${kind})`;
  await recordChange(context, { action: 'send_link', summary, before: null }, async () => {
    const { error } = await send[kind]();
    if (error) throw error;
    return { kind };
  });
  return backTo(user.id, 'sent');
}

/** Creates a link for the administrator to deliver. The audit log does not contain it. */
async function createLink(context: ChangeContext, form: FormData): Promise<ChangeResult> {
  const { args, client, user } = context;
  const { email } = user;
  const type = linkKindOf(form);
  if (!email) throw new ChangeProblem('noEmail');
  if (isAdmin(user as Parameters<typeof isAdmin>[0])) requireSelf(context);
  let link = '';
  const summary = `Create a link for ${email} (${type})`;
  await recordChange(context, { action: 'create_link', summary, before: null }, async () => {
    const { properties } = unwrap(await client.auth.admin.generateLink({ type, email }));
    link = copiedLink(properties.hashed_token, type, args);
    return { kind: type };
  });
  return { kind: 'link', link };
}

/** A link is a way to sign in as the user, which is never possible for other administrators. */
function requireSelf({ admin, user }: ChangeContext): void {
  if (user.id !== admin.actor.actor_id) throw new ChangeProblem('otherAdmin');
}

async function unlinkIdentity(context: ChangeContext, form: FormData): Promise<Response> {
  const { args, user } = context;
  const id = idOf(form, 'identityId');
  const identity = user.identities?.find(({ identity_id }) => identity_id === id);
  if (!identity) throw new ChangeProblem('gone');
  const before = { provider: identity.provider, id: identity.id, identity_data: identity.identity_data };
  const summary = `Unlink ${identity.provider} from ${nameOf(user)}`;
  await recordChange(context, { action: 'unlink', summary, before }, async () => {
    await callEndpoint(args, `/admin/users/${user.id}/identities/${id}`, 'DELETE');
    return null;
  });
  return backTo(user.id, 'unlinked');
}

/** Removes a second factor that the user has lost. A missing factor is no error. */
async function removeFactor(context: ChangeContext, form: FormData): Promise<Response> {
  const { client, user } = context;
  const id = idOf(form, 'factorId');
  const factor = user.factors?.find((candidate) => candidate.id === id);
  if (factor) {
    const before = {
      type: factor.factor_type,
      name: factor.friendly_name ?? null,
      created_at: factor.created_at,
    };
    const summary = `Remove a second factor of ${nameOf(user)}`;
    await recordChange(context, { action: 'remove_factor', summary, before }, async () => {
      unwrap(await client.auth.admin.mfa.deleteFactor({ userId: user.id, id }));
      return null;
    });
  }
  return backTo(user.id, 'factorRemoved');
}

async function endSession(context: ChangeContext, form: FormData): Promise<Response> {
  const { args, user } = context;
  const id = idOf(form, 'sessionId');
  const summary = `End a session of ${nameOf(user)}`;
  await recordChange(context, { action: 'end_session', summary, before: { session_id: id } }, async () => {
    await callEndpoint(args, `/admin/users/${user.id}/sessions/${id}`, 'DELETE');
    return null;
  });
  return backTo(user.id, 'sessionEnded');
}

/** Ends all sessions of the user. */
export async function endSessions(context: ChangeContext): Promise<Response> {
  const { args, user } = context;
  requireOther(context);
  const summary = `End all sessions of ${nameOf(user)}`;
  await recordChange(context, { action: 'end_sessions', summary, before: null }, async () => {
    await callEndpoint(args, `/admin/users/${user.id}/sessions`, 'DELETE');
    return null;
  });
  return backTo(user.id, 'sessionsEnded');
}

/** Adds a role, which replaces another one. */
export async function setRole(context: ChangeContext, form: FormData): Promise<Response> {
  const { client, user } = context;
  requireOther(context);
  const role = String(form.get('role') ?? '').trim();
  if (role === '' || role.length > 100) throw new ChangeProblem('role');
  const summary = `Give ${nameOf(user)} the role ${role}`;
  await recordChange(context, { action: 'set_role', summary }, async () =>
    stateOf(unwrap(await client.auth.admin.updateUserById(user.id, { app_metadata: { role } }))),
  );
  return backTo(user.id, 'saved');
}

/** Returns the state of a changed user for the audit log. */
function stateOf({ user }: { user: User | null }): unknown {
  return user ? snapshotOf(user) : undefined;
}

function idOf(form: FormData, name: string): string {
  const id = String(form.get(name) ?? '');
  if (!isUuid(id)) throw new ChangeProblem('unclear');
  return id;
}
