/** Changes the addresses, the password, the role and the metadata of a user. */
import type { AdminUserAttributes, User } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { metadataPatch, parseMetadata } from './metadata.ts';
import {
  type ChangeContext,
  ChangeProblem,
  type ChangeResult,
  findUser,
  recordChange,
} from './user-change.server.ts';
import { conflictsOf, fieldsOf, nameOf, snapshotOf, type UserFields } from './user-edit.ts';

/** Fields of both forms; each form has some of them. */
const FIELDS = ['email', 'phone', 'role', 'userMetadata', 'appMetadata'] as const;

/**
 * Changes the fields that differ from the user. The form has the state on which it is based; if another administrator has
 * changed one of its fields meanwhile, nothing is changed.
 */
export async function editUser(context: ChangeContext, form: FormData): Promise<ChangeResult> {
  const { user } = context;
  const typed = typedFields(form);
  const based = basedFields(form);
  const conflicts = conflictsOf(based, fieldsOf(user), typed);
  if (conflicts.length > 0) return conflictView(user, conflicts);
  const attributes = attributesOf(user, typed, form);
  if (Object.keys(attributes).length === 0) return saved(user.id);
  if (
    user.id === context.admin.actor.actor_id &&
    attributes.app_metadata &&
    'role' in attributes.app_metadata
  ) {
    throw new ChangeProblem('self');
  }
  const isConflict = await update(context, attributes);
  if (!isConflict) return saved(user.id);
  const current = await findUser(context.client, user.id);
  if (!current) throw new ChangeProblem('gone');
  const later = conflictsOf(based, fieldsOf(current), typed);
  if (later.length > 0) return conflictView(current, later);
  // Only other fields have changed, for example by a sign-in.
  if (await update({ ...context, user: current }, attributes)) throw new ChangeProblem('busy');
  return saved(user.id);
}

/** Returns true if the user has changed since it was read; then nothing is changed. */
async function update(context: ChangeContext, attributes: AdminUserAttributes): Promise<boolean> {
  const { client, user } = context;
  const fields = Object.keys(attributes).join(', ');
  const versioned = { ...attributes, if_updated_at: user.updated_at };
  let isConflict = false;
  await recordChange(context, { action: 'edit', summary: `Change ${nameOf(user)}: ${fields}` }, async () => {
    const { data, error } = await client.auth.admin.updateUserById(user.id, versioned);
    isConflict = error?.code === 'conflict';
    if (isConflict) return snapshotOf(user);
    if (error) throw error;
    return data.user ? snapshotOf(data.user) : undefined;
  });
  return isConflict;
}

function saved(userId: string): Response {
  return redirect(`/admin/users?${new URLSearchParams({ user: userId, notice: 'saved' })}`);
}

function conflictView(user: User, conflicts: Extract<ChangeResult, { kind: 'conflict' }>['conflicts']) {
  return {
    kind: 'conflict' as const,
    conflicts,
    updatedAt: user.updated_at ?? '',
    based: JSON.stringify(fieldsOf(user)),
  };
}

function typedFields(form: FormData): Partial<UserFields> {
  return Object.fromEntries(
    FIELDS.filter((field) => form.has(field)).map((field) => [field, String(form.get(field)).trim()]),
  );
}

/** The state that the form was based on, for the fields that it has. */
function basedFields(form: FormData): Partial<UserFields> {
  const parsed = parseMetadata(String(form.get('based') ?? '{}'));
  if ('problem' in parsed) throw new ChangeProblem('unclear');
  return Object.fromEntries(
    FIELDS.filter((field) => form.has(field)).map((field) => [field, String(parsed.value[field] ?? '')]),
  );
}

function attributesOf(user: User, typed: Partial<UserFields>, form: FormData): AdminUserAttributes {
  const current = fieldsOf(user);
  const password = String(form.get('password') ?? '');
  const { role, ...appMetadata } = user.app_metadata;
  const userPatch = patchOf(user.user_metadata, typed.userMetadata);
  const appPatch = {
    ...patchOf(appMetadata, typed.appMetadata),
    ...(typed.role !== undefined && typed.role !== current.role && { role: typed.role || null }),
  };
  const isConfirmed = form.get('confirm') !== null;
  return {
    ...addressOf('email', typed.email, current.email, isConfirmed),
    ...addressOf('phone', typed.phone, current.phone, isConfirmed),
    ...(password !== '' && { password }),
    ...(Object.keys(userPatch).length > 0 && { user_metadata: userPatch }),
    ...(Object.keys(appPatch).length > 0 && { app_metadata: appPatch }),
  };
}

/** The auth service cannot remove an address. */
function addressOf(
  name: 'email' | 'phone',
  typed: string | undefined,
  current: string,
  isConfirmed: boolean,
) {
  if (typed === undefined || typed === current) return {};
  if (typed === '') throw new ChangeProblem('removedAddress');
  return { [name]: typed, ...(isConfirmed && { [`${name}_confirm`]: true }) };
}

function patchOf(current: Record<string, unknown>, text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  const parsed = parseMetadata(text);
  if ('problem' in parsed) throw new ChangeProblem(parsed.problem, parsed.detail);
  return metadataPatch(current, parsed.value);
}
