/** The second factors of a user, for admins: list, rename, delete. */
import type { Statement } from '@greenroom/postgres';
import { z } from 'zod';
import { writeAudit } from '../audit/write.ts';
import { type AuditAction, auditEntry } from '../audit.ts';
import { type Claims, requireAdmin } from '../caller.ts';
import { brokenUniqueConstraint } from '../database-error.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { type FactorRow, toFactor } from '../factor.ts';
import { parsePhone } from '../phone-number.ts';
import { optionalTextField, parseBody } from '../request-body.ts';
import { findUserById } from '../user/find.ts';
import type { UserRow } from '../user.ts';
import { uuidParam } from '../uuid.ts';
import { adminActor, targetUser } from './target-user.ts';

const MAX_NAME_LENGTH = 255;
const fields = z.object({ friendly_name: optionalTextField, phone: optionalTextField });

/** Answers all of them. */
export async function listFactors(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const { factors } = await targetUser(context, request);
  return { status: 200, body: (factors ?? []).map(toFactor) };
}

/** Renames a factor, or changes its number. */
export async function updateFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { friendly_name: name, phone } = parseBody(request.body, fields);
  if ((name?.length ?? 0) > MAX_NAME_LENGTH) {
    throw failure('validation_failed', {
      message: `friendly_name is longer than ${MAX_NAME_LENGTH} characters`,
    });
  }
  const { user, factor } = await targetFactor(context, request);
  const isPhone = factor.factor_type === 'phone';
  const number = phone === undefined || !isPhone ? undefined : parsePhone(phone);
  const results = await context.database
    .batch([
      {
        name: 'auth_admin_update_factor',
        text: `update auth.mfa_factors set friendly_name = coalesce($2, friendly_name), phone = coalesce($3, phone),
            updated_at = $4 where id = $1`,
        values: [factor.id, name ?? null, number ?? null, context.now()],
      },
      ...audit(context, request, claims, 'factor_updated', user, factor),
      findUserById(user.id),
    ])
    .catch((error: unknown) => {
      throw brokenUniqueConstraint(error) ? failure('mfa_factor_name_conflict') : error;
    });
  const changed = (results.at(-1)?.[0] as UserRow | undefined)?.factors?.find(({ id }) => id === factor.id);
  if (changed === undefined) throw notFound();
  return { status: 200, body: toFactor(changed) };
}

/** Deletes a factor and answers what it was. */
export async function deleteFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { user, factor } = await targetFactor(context, request);
  await context.database.batch([
    {
      name: 'auth_admin_delete_factor',
      text: 'delete from auth.mfa_factors where id = $1 and user_id = $2',
      values: [factor.id, user.id],
    },
    ...audit(context, request, claims, 'factor_deleted', user, factor),
  ]);
  return { status: 200, body: toFactor(factor) };
}

async function targetFactor(
  context: AuthContext,
  request: AuthRequest,
): Promise<{ user: UserRow; factor: FactorRow }> {
  const factorId = uuidParam(request, 'factorId');
  const user = await targetUser(context, request);
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
  const traits = { user_id: id, factor_id: factor.id };
  return writeAudit(context, request, [auditEntry(adminActor(claims), action, traits)]);
}

function notFound() {
  return failure('mfa_factor_not_found', { message: 'Factor not found' });
}
