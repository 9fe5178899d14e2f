/**
 * PUT /user: changes the caller's own account. A new email address takes effect after a confirmation from its mailbox
 * and, by default, from the current one; a new phone number takes effect after a confirmation by SMS. With phone
 * autoconfirm, a new number takes effect immediately. With email autoconfirm, so does the first address of an anonymous
 * user.
 */
import { CatalogueError } from '@greenroom/errors';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { perform, type Step } from '../hooks/step.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';
import { notifyPasswordChanged, notifyPhoneChanged } from '../mail/notify.ts';
import { countMessage } from '../one-time/count-message.ts';
import { mailboxesOfChange, planEmailChange } from '../one-time/email-change.ts';
import { requireNotSentRecently } from '../one-time/message-spacing.ts';
import { planSms } from '../one-time/sms.ts';
import { type Caller, isSessionEndedError, requireCaller, requireSessionInBatch } from '../session/caller.ts';
import { audienceOf } from '../user/audience.ts';
import { endSessions } from '../user/end-sessions.ts';
import { findUserById } from '../user/find.ts';
import {
  changeEmail,
  changePassword,
  changePhone,
  mergeMetadata,
  requestPhoneChange,
  revokePendingSignIns,
} from '../user/update.ts';
import { toUser, type UserRow } from '../user/user.ts';
import { type Changes, parseChanges } from './update/changes.ts';
import { requireReauthentication } from './update/reauthentication.ts';
import { requireAllowed, requireFreeAddresses, requirePasswordChange } from './update/rules.ts';

/** Applies all changes of the body, or none. */
export async function updateUser(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  context.limits.check('user', request, context.now(), caller.user.id);
  const changes = await parseChanges(request.body, caller.user, context);
  requireAllowed(changes, caller, context.config);
  await requireFreeAddresses(
    context.database,
    changes,
    caller.user,
    audienceOf(request, context.config, caller.claims),
  );
  await requireReauthentication(changes, caller, context);
  await requirePasswordChange(changes, caller, context, request);
  const steps = [
    ...requireSessionInBatch(caller),
    ...(await planChanges(context, request, caller, changes)),
    ...writeAudit(context, request, auditOf(caller, changes)),
    findUserById(caller.user.id),
  ];
  const results = await perform(context, request, steps).catch((error: unknown) => {
    throw translateError(error);
  });
  const user = results.at(-1)?.[0] as UserRow | undefined;
  if (user === undefined) throw failure('user_not_found');
  return { status: 200, body: toUser(user) };
}

/** Plans the statements and messages. Session statements come first: user/update.ts explains the lock order. */
async function planChanges(
  context: AuthContext,
  request: AuthRequest,
  { user, session }: Caller,
  changes: Changes,
): Promise<Step[]> {
  const at = context.now();
  const { id } = user;
  const { password, data, appMetadata, email, phone } = changes;
  const steps: Step[] = [];
  if (password !== undefined) {
    const hash = await context.passwords.hash(password, request);
    steps.push(
      endSessions('others', id, session?.id),
      ...changePassword(id, hash, at),
      ...revokePendingSignIns(id),
    );
    steps.push(...(await notifyPasswordChanged(context, user)));
  }
  if (data !== undefined) steps.push(mergeMetadata(id, 'raw_user_meta_data', data, at));
  if (appMetadata !== undefined) steps.push(mergeMetadata(id, 'raw_app_meta_data', appMetadata, at));
  if (email !== undefined) steps.push(...(await planEmail(context, request, user, email, changes)));
  if (phone !== undefined) steps.push(...(await planPhone(context, request, user, phone, changes)));
  return steps;
}

async function planEmail(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  email: string,
  { challenge }: Changes,
): Promise<Step[]> {
  if (user.is_anonymous && context.config.autoconfirm.email) {
    return changeEmail(user.id, email, context.now());
  }
  requireNotSentRecently(user.email_change_sent_at, 'email', context);
  for (const recipient of mailboxesOfChange(context, user, email)) {
    countMessage(context, request, { channel: 'email', recipient, account: user.id });
  }
  return planEmailChange(context, request, user, email, challenge);
}

async function planPhone(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  phone: string,
  { channel }: Changes,
): Promise<Step[]> {
  const now = context.now();
  if (context.config.autoconfirm.phone) {
    return [...changePhone(user.id, phone, now), ...(await notifyPhoneChanged(context, user, phone))];
  }
  requireNotSentRecently(user.phone_change_sent_at, 'phone', context);
  countMessage(context, request, { channel: 'phone', recipient: phone, account: user.id });
  const { steps } = planSms(context, { user, to: phone, kind: 'phone_change_token', channel });
  return [requestPhoneChange(user.id, phone, now), ...steps];
}

function auditOf({ user }: Caller, { password }: Changes) {
  const modified = auditEntry(user, 'user_modified');
  return password === undefined ? [modified] : [auditEntry(user, 'user_updated_password'), modified];
}

function translateError(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  if (isSessionEndedError(error)) return failure('session_not_found');
  const constraint = violatedUniqueConstraint(error);
  if (constraint === 'users_email_partial_key') return failure('email_exists');
  if (constraint === 'users_phone_key') return failure('phone_exists');
  return failure('unexpected_failure', { message: 'Error updating user', cause: error });
}
