/** The account for an invitation or a sign-up link: an existing unconfirmed account or a new one. */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { newAccount } from '../credential/sign-up/new-account.ts';
import { failure } from '../errors.ts';
import { beforeUserCreated } from '../hooks/before-user-created.ts';
import type { MailRequest } from '../one-time/mail.ts';
import { findOwnerOfEmail } from '../user/find.ts';
import type { Metadata } from '../user/metadata.ts';
import { mergeMetadata } from '../user/update.ts';
import type { UserRow } from '../user/user.ts';

interface Invitation {
  email: string;
  data: Metadata;
  audience: string;
  passwordHash?: string;
}

/**
 * Returns the account and the statements that create or update it. Throws `email_exists` if the account is
 * already confirmed. If `isNew`, call `afterUserCreated` after the commit.
 */
export async function planInvitedAccount(
  context: AuthContext,
  request: AuthRequest,
  { email, data, audience, passwordHash }: Invitation,
): Promise<{ user: MailRequest['user']; statements: Statement[]; isNew: boolean }> {
  const [owner] = await context.database.query<UserRow>(findOwnerOfEmail(email, audience));
  if (owner === undefined) {
    // Never auto-confirm: only the link proves that the invited person owns the address.
    const unconfirmed = { ...context.config, autoconfirm: { email: false, phone: false } };
    const challenge = { code_challenge: '', code_challenge_method: '' };
    const registration = { provider: 'email', address: email, data, audience, challenge } as const;
    const settings = { config: unconfirmed, now: context.now };
    const account = newAccount(registration, passwordHash ?? null, settings, { isAdminCreated: true });
    await beforeUserCreated(context, request, account.user);
    return { ...account, isNew: true };
  }
  if (owner.confirmed_at !== null || owner.email !== email) throw failure('email_exists');
  const hasData = Object.keys(data).length > 0;
  const merged = hasData ? [mergeMetadata(owner.id, 'raw_user_meta_data', data, context.now())] : [];
  return { user: owner, statements: merged, isNew: false };
}

/** Records the time of an invitation. */
export function recordInvitation(userId: string, now: Date): Statement {
  return {
    name: 'auth_note_invitation',
    text: 'update auth.users set invited_at = $2, updated_at = $2 where id = $1',
    values: [userId, now],
  };
}
