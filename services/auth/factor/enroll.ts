/** POST /factors: starts the enrolment of a second factor. The factor takes effect after its first verification. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';
import { seal } from '../lib/secret-box.ts';
import { hasUsedTwoFactors } from '../session/session.ts';
import type { FactorRow } from '../user/factor.ts';
import { parsePhone } from '../user/phone-number.ts';
import { type FactorCaller, requireFactorCaller } from './caller.ts';

const MAX_NAME_LENGTH = 255;

const fields = z.object({
  factor_type: textField,
  friendly_name: textField,
  issuer: textField,
  phone: textField,
});

type Fields = z.output<typeof fields>;
type FactorType = FactorRow['factor_type'];

/** A factor to insert, and the part of the response that depends on its type. */
interface NewFactor {
  id: string;
  type: FactorType;
  name: string;
  secret: string | null;
  phone: string | null;
  /** An unverified factor that this one replaces. */
  replacesId: string | undefined;
  response: Record<string, unknown>;
}

/** Handles POST /factors. */
export async function enrollFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireFactorCaller(context, request);
  context.limits.check('enroll', request, context.now(), caller.user.id);
  const body = parseBody(request.body, fields);
  const type = requireType(body, context);
  const factor = await planFactor(context, caller, type, body);
  requireCapacity(context, caller, factor);
  const traits = { factor_id: factor.id, factor_type: type };
  await context.database
    .batch([
      ...deleteStaleFactors(context, caller, factor),
      insertFactor(factor, caller.user.id, context.now()),
      ...writeAudit(context, request, [auditEntry(caller.user, 'factor_in_progress', traits)]),
    ])
    .catch((error: unknown) => {
      throw violatedUniqueConstraint(error) === undefined ? error : nameConflict(factor.name);
    });
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { id: factor.id, type, friendly_name: factor.name, ...factor.response },
  };
}

const DISABLED = {
  totp: ['mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP'],
  phone: ['mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone'],
  webauthn: ['mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn'],
} as const;

function requireType(
  { factor_type: type, friendly_name: name }: Fields,
  { config }: AuthContext,
): FactorType {
  if (type !== 'totp' && type !== 'phone' && type !== 'webauthn') {
    throw refused('factor_type needs to be totp, phone, or webauthn');
  }
  if (!config.factors.enrolls[type]) {
    const [code, message] = DISABLED[type];
    throw failure(code, { message });
  }
  if (name.length > MAX_NAME_LENGTH) {
    throw refused(`friendly_name is longer than ${MAX_NAME_LENGTH} characters`);
  }
  return type;
}

async function planFactor(
  context: AuthContext,
  caller: FactorCaller,
  type: FactorType,
  body: Fields,
): Promise<NewFactor> {
  const id = randomUUID();
  const base = {
    id,
    type,
    name: body.friendly_name,
    secret: null,
    phone: null,
    replacesId: undefined,
    response: {},
  };
  if (type === 'totp') return { ...base, ...(await planTotp(context, caller, id, body)) };
  if (type === 'phone') return { ...base, ...planPhone(caller, body) };
  return base;
}

async function planTotp(
  { config, keys }: AuthContext,
  { user }: FactorCaller,
  id: string,
  { issuer }: Fields,
) {
  const host = new URL(config.redirects.siteUrl).host;
  const { createTotpKey } = await import('./totp.ts');
  const { secret, uri, qrCode } = createTotpKey(
    issuer.slice(0, MAX_NAME_LENGTH) || host,
    user.email || user.phone || '',
  );
  return {
    secret: seal(secret, keys.derive('mfa-secrets'), id),
    response: { totp: { qr_code: qrCode, secret, uri } },
  };
}

function planPhone({ user }: FactorCaller, { phone: text }: Fields) {
  if (text === '') throw refused('Phone number required to enroll Phone factor');
  const phone = parsePhone(text);
  const existing = user.factors?.find((factor) => factor.factor_type === 'phone' && factor.phone === phone);
  if (existing?.status === 'verified') throw failure('mfa_verified_factor_exists');
  return { phone, replacesId: existing?.id, response: { phone: text } };
}

/** Throws `mfa_factor_name_conflict`, `too_many_enrolled_mfa_factors` or `insufficient_aal`. */
function requireCapacity(
  context: AuthContext,
  { user, session }: FactorCaller,
  { name, replacesId }: NewFactor,
): void {
  const { maxEnrolled, maxVerified } = context.config.factors;
  const remaining = (user.factors ?? []).filter(
    (factor) => factor.id !== replacesId && !isStale(factor, context),
  );
  const verified = remaining.filter(({ status }) => status === 'verified');
  if (remaining.some((factor) => (factor.friendly_name ?? '') === name)) throw nameConflict(name);
  if (remaining.length >= maxEnrolled || verified.length >= maxVerified) {
    throw failure('too_many_enrolled_mfa_factors');
  }
  if (verified.length > 0 && !hasUsedTwoFactors(session)) {
    throw failure('insufficient_aal', { status: 403, message: 'AAL2 required to enroll a new factor' });
  }
}

function isStale({ status, created_at }: FactorRow, { config, now }: AuthContext): boolean {
  return (
    status === 'unverified' && new Date(created_at).getTime() < now().getTime() - config.factors.enrollmentMs
  );
}

function deleteStaleFactors(
  context: AuthContext,
  { user }: FactorCaller,
  { replacesId }: NewFactor,
): Statement[] {
  const stale = (user.factors ?? []).filter((factor) => isStale(factor, context)).map(({ id }) => id);
  const ids = replacesId === undefined ? stale : [...stale, replacesId];
  if (ids.length === 0) return [];
  return [
    {
      name: 'auth_forget_unfinished_factors',
      text: `delete from auth.mfa_factors where user_id = $1 and id = any($2) and status = 'unverified'`,
      values: [user.id, ids],
    },
  ];
}

function insertFactor({ id, type, name, secret, phone }: NewFactor, userId: string, now: Date): Statement {
  return {
    name: 'auth_insert_factor',
    text: `insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
      values ($1, $2, $3, $4, 'unverified', $5, $6, $7, $7)`,
    values: [id, userId, name, type, secret, phone, now],
  };
}

function nameConflict(name: string) {
  const message = `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`;
  return failure('mfa_factor_name_conflict', { message });
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
