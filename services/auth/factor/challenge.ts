/** POST /factors/:factorId/challenge: creates a challenge of a second factor. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { smsByHook } from '../hooks/send-sms.ts';
import { perform, type Step } from '../hooks/step.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { hashCode, randomCode } from '../one-time/code.ts';
import { countMessage } from '../one-time/count-message.ts';
import { phoneChannelOf } from '../one-time/phone-channel.ts';
import { hasProviderCode } from '../one-time/provider-code.ts';
import { requireSmsSender } from '../one-time/sms.ts';
import { tooSoon } from '../rate-limit/errors.ts';
import type { FactorRow } from '../user/factor.ts';
import { type FactorCaller, factorOfPath, requireFactorCaller } from './caller.ts';
import { insertChallenge, type NewChallenge } from './challenges.ts';
import { requireVerifiable } from './verifiable.ts';

const fields = z.object({ channel: textField });

/** The parts of a challenge that depend on the type of factor. */
interface Plan {
  challenge: Omit<NewChallenge, 'id' | 'factorId'>;
  steps: Step[];
  response: Record<string, unknown>;
}

/** Creates a challenge, and sends the code of a phone factor. */
export async function challengeFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireFactorCaller(context, request);
  context.limits.check('factor', request, context.now(), caller.user.id);
  const factor = factorOfPath(caller, request);
  requireVerifiable(factor.factor_type, context);
  const plan = await planChallenge(context, request, caller, factor);
  const now = context.now();
  const id = randomUUID();
  const traits = { factor_id: factor.id, factor_status: factor.status };
  await perform(context, request, [
    ...insertChallenge({ id, factorId: factor.id, ...plan.challenge }, request, now),
    ...plan.steps,
    ...writeAudit(context, request, [auditEntry(caller.user, 'challenge_created', traits)]),
  ]);
  const expiresAt = Math.floor((now.getTime() + context.config.factors.challengeMs) / 1000);
  return { status: 200, body: { id, type: factor.factor_type, expires_at: expiresAt, ...plan.response } };
}

async function planChallenge(
  context: AuthContext,
  request: AuthRequest,
  caller: FactorCaller,
  factor: FactorRow,
): Promise<Plan> {
  switch (factor.factor_type) {
    case 'totp':
      return { challenge: {}, steps: [], response: {} };
    case 'phone':
      return planPhoneChallenge(context, request, caller, factor);
    case 'webauthn': {
      const { planWebauthnChallenge } = await import('./webauthn.ts');
      const { webauthn, response } = await planWebauthnChallenge(context, caller, factor);
      return { challenge: { webauthn }, steps: [], response: { webauthn: response } };
    }
  }
}

function planPhoneChallenge(
  context: AuthContext,
  request: AuthRequest,
  { user }: FactorCaller,
  factor: FactorRow,
): Plan {
  const { config, hooks, now, outbox } = context;
  const body = request.body?.length ? parseBody(request.body, fields) : { channel: '' };
  const channel = phoneChannelOf(body.channel, config);
  const { last_challenged_at: last, phone } = factor;
  const left = last === null ? 0 : new Date(last).getTime() + config.factors.phoneSpacingMs - now().getTime();
  if (left > 0) throw tooSoon('phone', left);
  if (phone === null) throw failure('validation_failed', { message: 'The factor has no phone number' });
  requireSmsSender(context, phone);
  countMessage(context, request, { channel: 'phone', recipient: phone, account: user.id });
  const code = randomCode(config.factors.phoneDigits);
  const text = hasProviderCode(phone, context) ? '' : context.mailer.smsText('factor', code);
  return {
    challenge: { code: hashCode(factor.id, code) },
    steps: [
      hooks.isSet('sendSms')
        ? smsByHook(user.id, { otp: code, phone, sms_type: 'mfa' })
        : outbox.put({ channel, kind: 'mfa', recipient: phone, text, code }),
    ],
    response: {},
  };
}
