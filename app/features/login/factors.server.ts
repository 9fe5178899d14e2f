/** The second step on the server: which factors somebody has, and what they show of them. */
import type { Factor, SupabaseClient } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { readAuthAnswer } from '../../session/auth-answer.ts';
import { describeAuthError } from '../../session/auth-errors.ts';
import { isBackendFailure } from '../../session/backend-failure.ts';
import { backendUnreachable } from '../../session/page-errors.ts';
import { languageContext, sessionContext, siteContext } from '../../shell/request/contexts.server.ts';
import {
  callAuth,
  forgetSession,
  redirectToSavedPath,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { codeOf, outcome, refuse } from './one-time-outcome.server.ts';
import { countRecoveryCodes } from './recovery-code-count.server.ts';

/** The ways of showing a second factor that somebody has. */
export interface OwnFactors {
  hasApp: boolean;
  phones: { id: string; ending: string }[];
  keys: { id: string; name: string }[];
  hasRecoveryCodes: boolean;
}

/** Finds them. Sends on whoever has none, and whoever is no longer known. */
export async function loadFactorStep(args: VisitorArgs): Promise<OwnFactors | Response> {
  const { auth } = await visitorClient(args);
  const { data: found, error } = await auth.getUser();
  if (error && (isBackendFailure(error) || error.status === 429)) throw backendUnreachable();
  if (!found.user) {
    forgetSession(args);
    return redirect(args.context.get(siteContext).options.guard.login);
  }
  const factors = (found.user.factors ?? []).filter(({ status }) => status === 'verified');
  if (factors.length === 0) return redirectToSavedPath(args);
  const codes = await countRecoveryCodes(args);
  return toOwnFactors(factors, codes !== undefined && codes.remaining > 0);
}

/** Sorts verified factors by their kind. */
function toOwnFactors(factors: readonly Factor[], hasRecoveryCodes = false): OwnFactors {
  return {
    hasRecoveryCodes,
    hasApp: factors.some(({ factor_type }) => factor_type === 'totp'),
    phones: factors.flatMap(({ id, factor_type, ...rest }) =>
      factor_type === 'phone'
        ? [{ id, ending: String((rest as { phone?: unknown }).phone ?? '').slice(-3) }]
        : [],
    ),
    keys: factors.flatMap(({ id, factor_type, friendly_name }) =>
      factor_type === 'webauthn' ? [{ id, name: friendly_name ?? '' }] : [],
    ),
  };
}

/** Carries out the form: a code is sent to a phone, or one is taken. */
export async function submitFactor(args: VisitorArgs, form: FormData) {
  if (!args.context.get(sessionContext)) return redirect(args.context.get(siteContext).options.guard.login);
  const client = await visitorClient(args);
  const factorId = String(form.get('factorId') ?? '').slice(0, 64);
  if (form.get('step') === 'send') return sendPhoneCode(args, client, factorId);
  if (form.get('step') === 'recovery') return takeRecoveryCode(args, client, form);
  const challengeId = String(form.get('challengeId') ?? '').slice(0, 64);
  const code = codeOf(form);
  const phone = challengeId && { factorId, challengeId };
  if (code === '') {
    const problems = { code: oneTimeTexts[args.context.get(languageContext)].enterCode };
    return outcome({ problems, ...(phone && { phone }) }, 400);
  }
  return phone ? takePhoneCode(args, client, { ...phone, code }) : takeAppCode(args, client, code);
}

async function sendPhoneCode(args: VisitorArgs, { auth }: SupabaseClient, factorId: string) {
  const { data: challenge, error } = await auth.mfa.challenge({ factorId });
  if (error) return refuse(args, error, '', false);
  return outcome({ phone: { factorId, challengeId: challenge.id } }, 200);
}

async function takePhoneCode(
  args: VisitorArgs,
  { auth }: SupabaseClient,
  { factorId, challengeId, code }: { factorId: string; challengeId: string; code: string },
) {
  const { error } = await auth.mfa.verify({ factorId, challengeId, code });
  if (!error) return redirectToSavedPath(args);
  const isWrong = error.code === 'mfa_verification_failed';
  if (!isWrong) return refuse(args, error, '', true);
  const problems = { code: oneTimeTexts[args.context.get(languageContext)].wrongCode };
  return outcome({ problems, phone: { factorId, challengeId } }, 422);
}

/** The code of an authenticator app, for any of the visitor's apps. */
async function takeAppCode(args: VisitorArgs, { auth }: SupabaseClient, code: string) {
  const { data: factors, error } = await auth.mfa.listFactors();
  if (error) return refuse(args, error, '', true);
  for (const { id: factorId } of factors.totp) {
    const { error: wrong } = await auth.mfa.challengeAndVerify({ factorId, code });
    if (!wrong) return redirectToSavedPath(args);
    if (wrong.code !== 'mfa_verification_failed') return refuse(args, wrong, '', true);
  }
  const problems = { code: oneTimeTexts[args.context.get(languageContext)].factor.wrongAppCode };
  return outcome({ problems }, 422);
}

/** A recovery code in the place of a factor. The official client does not know them, and takes the session over. */
async function takeRecoveryCode(args: VisitorArgs, { auth }: SupabaseClient, form: FormData) {
  const texts = oneTimeTexts[args.context.get(languageContext)];
  const code = String(form.get('recoveryCode') ?? '').slice(0, 64);
  if (code.trim() === '') return outcome({ problems: { recoveryCode: texts.enterCode } }, 400);
  const call = { method: 'POST', body: { code } } as const;
  const { body, failure } = await readAuthAnswer(
    await callAuth(args, '/factors/recovery-codes/verify', call),
  );
  if (failure?.code === 'mfa_verification_failed') {
    return outcome({ problems: { recoveryCode: texts.factor.wrongRecoveryCode } }, 422);
  }
  if (failure) {
    const { message, status } = describeAuthError(failure, args.context.get(languageContext));
    return outcome({ problems: { recoveryCode: message } }, status);
  }
  const { access_token, refresh_token } = body;
  const { error } = await auth.setSession({
    access_token: String(access_token),
    refresh_token: String(refresh_token),
  });
  return error ? refuse(args, error, '', true) : redirectToSavedPath(args);
}
