/** Admin endpoints for a user's second factors: list, rename, delete. */
import type { Statement } from '@greenroom/postgres';
import { z } from 'zod';
import { createAuditedChange } from '../audit/audited-change.ts';
import { type AuditAction, auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { uuidParam } from '../http/uuid.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';
import { notifyFactorUnenrolled } from '../mail/notify.ts';
import { type Claims, requireAdmin } from '../session/caller.ts';
import { downgradeSessions, downgradeSessionsWithoutFactor, lockSessions } from '../session/elevate.ts';
import { type FactorRow, toFactor } from '../user/factor.ts';
import { findUserById } from '../user/find.ts';
import { parsePhone } from '../user/phone-number.ts';
import type { UserRow } from '../user/user.ts';
import { adminActor, targetUser } from './target-user.ts';

const MAX_NAME_LENGTH = 255;
const fields = z.object({ friendly_name: textField, phone: textField });

export async function listFactors(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const { factors } = await targetUser(context, request);
  return { status: 200, body: (factors ?? []).map(toFactor) };
}

/** Changes a factor's name or phone number. */
export async function updateFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { user, factor } = await targetFactor(context, request);
  const { name, phone } = readChanges(request, factor);
  const results = await createAuditedChange(context.database, {
    change: {
      name: 'auth_admin_update_factor',
      text: `update auth.mfa_factors set friendly_name = coalesce($3, friendly_name), phone = coalesce($4, phone),
          updated_at = $5 where id = $1 and user_id = $2 returning id`,
      values: [factor.id, user.id, name, phone, context.now()],
    },
    after: [...audit(context, request, claims, 'factor_updated', user, factor), findUserById(user.id)],
    missing: notFound,
  }).catch((error: unknown) => {
    throw toChangeFailure(error);
  });
  const changed = (results.at(-1)?.[0] as UserRow | undefined)?.factors?.find(({ id }) => id === factor.id);
  if (changed === undefined) throw notFound();
  return { status: 200, body: toFactor(changed) };
}

/** Null keeps a value. Only factors by SMS have a phone number. */
function readChanges({ body }: AuthRequest, { factor_type: type }: FactorRow) {
  const { friendly_name: name, phone } = parseBody(body, fields);
  if (name.length > MAX_NAME_LENGTH) {
    throw failure('validation_failed', {
      message: `friendly_name is longer than ${MAX_NAME_LENGTH} characters`,
    });
  }
  return { name: name || null, phone: phone === '' || type !== 'phone' ? null : parsePhone(phone) };
}

function toChangeFailure(error: unknown): unknown {
  const constraint = violatedUniqueConstraint(error);
  if (constraint === 'mfa_factors_user_friendly_name_unique') return failure('mfa_factor_name_conflict');
  return constraint === 'unique_verified_phone_factor' ? failure('mfa_verified_factor_exists') : error;
}

/**
 * Deletes a factor and returns it. Downgrades the sessions that used it to aal1. For a verified factor, also
 * mails the user a notification if that notification is enabled.
 */
export async function deleteFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { user, factor } = await targetFactor(context, request);
  await createAuditedChange(context.database, {
    before: [lockSessions(user.id), ...downgradeSessions(factor.id, context.now())],
    change: {
      name: 'auth_admin_delete_factor',
      text: 'delete from auth.mfa_factors where id = $1 and user_id = $2 returning id',
      values: [factor.id, user.id],
    },
    after: [
      downgradeSessionsWithoutFactor(user.id, context.now()),
      ...(factor.status === 'verified'
        ? await notifyFactorUnenrolled(context, user, factor.factor_type)
        : []),
      ...audit(context, request, claims, 'factor_deleted', user, factor),
    ],
    missing: notFound,
  });
  context.outbox.wake();
  return { status: 200, body: toFactor(factor) };
}

async function targetFactor(
  context: AuthContext,
  request: AuthRequest,
): Promise<{ user: UserRow; factor: FactorRow }> {
  const user = await targetUser(context, request);
  const factorId = uuidParam(request, 'factorId');
  const factor = user.factors?.find(({ id }) => id === factorId);
  if (factor === undefined) throw notFound();
  return { user, factor };
}

function audit(
  context: AuthContext,
  request: AuthRequest,
  claims: Claims,
  action: AuditAction,
  { id }: UserRow,
  factor: FactorRow,
): Statement[] {
  const traits = { user_id: id, factor_id: factor.id, factor_type: factor.factor_type };
  return writeAudit(context, request, [auditEntry(adminActor(claims), action, traits)]);
}

function notFound() {
  return failure('mfa_factor_not_found', { message: 'Factor not found' });
}
