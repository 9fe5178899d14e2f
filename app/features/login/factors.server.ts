/** The second step on the server: lists the user's factors, and verifies one. */
import type { Factor, SupabaseClient } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { parseAuthResponse } from '../../session/auth-response.ts';
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

/** The verified second factors of a user. */
export interface OwnFactors {
  hasApp: boolean;
  phones: { id: string; ending: string }[];
  keys: { id: string; name: string }[];
  hasRecoveryCodes: boolean;
}

/** Returns the factors. Redirects users without factors, and users who no longer exist. */
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

/** Groups verified factors by type. */
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

/** Handles the form: sends a code to a phone, or verifies a code. */
export async function submitFactor(args: VisitorArgs, form: FormData) {
  if (!args.context.get(sessionContext)) return redirect(args.context.get(siteContext).options.guard.login);
  const client = await visitorClient(args);
  const factorId = String(form.get('factorId') ?? '').slice(0, 64);
  if (form.get('step') === 'send') return sendPhoneCode(args, client, factorId);
  if (form.get('step') === 'recovery') return verifyRecoveryCode(args, client, form);
  const challengeId = String(form.get('challengeId') ?? '').slice(0, 64);
  const code = codeOf(form);
  const phone = challengeId && { factorId, challengeId };
  if (code === '') {
    const problems = { code: oneTimeTexts[args.context.get(languageContext)].enterCode };
    return outcome({ problems, ...(phone && { phone }) }, 400);
  }
  return phone ? verifyPhoneCode(args, client, { ...phone, code }) : verifyAppCode(args, client, code);
}

async function sendPhoneCode(args: VisitorArgs, { auth }: SupabaseClient, factorId: string) {
  const { data: challenge, error } = await auth.mfa.challenge({ factorId });
  if (error) return refuse(args, error, '', false);
  return outcome({ phone: { factorId, challengeId: challenge.id } }, 200);
}

async function verifyPhoneCode(
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

/** Verifies the code of an authenticator app against each of the user's apps. */
async function verifyAppCode(args: VisitorArgs, { auth }: SupabaseClient, code: string) {
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

/**
 * Verifies a recovery code instead of a factor. The official client has no method for this, so it gets the
 * resulting session.
 */
async function verifyRecoveryCode(args: VisitorArgs, { auth }: SupabaseClient, form: FormData) {
  const texts = oneTimeTexts[args.context.get(languageContext)];
  const code = String(form.get('recoveryCode') ?? '').slice(0, 64);
  if (code.trim() === '') return outcome({ problems: { recoveryCode: texts.enterCode } }, 400);
  const call = { method: 'POST', body: { code } } as const;
  const { body, failure } = await parseAuthResponse(
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
