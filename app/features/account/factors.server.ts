/** The server side of second factors: adds authenticator apps and phones, and removes all types. */
import type { SupabaseClient, User } from '@supabase/supabase-js';
import { LRUCache } from 'lru-cache';
import { languageContext, siteContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { accountTexts } from '../../texts/account.ts';
import { loginProblemTexts } from '../../texts/login-problems.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { checkIdentifier } from '../login/credentials.ts';
import { freeName } from './free-name.ts';
import { type AccountCard, fieldOf, outcome, refuse } from './outcome.server.ts';
import { firstRecoveryCodes } from './recovery-codes.server.ts';

/** A verified factor. */
export interface OwnFactor {
  id: string;
  kind: 'totp' | 'phone' | 'webauthn';
  name: string;
  createdAt: string;
}

const SECTIONS = { totp: 'factors', phone: 'phones', webauthn: 'keys' } as const;

/** Returns the verified factors. */
export function ownFactors({ factors = [] }: User): OwnFactor[] {
  return factors.flatMap(({ id, status, factor_type, friendly_name, created_at }) =>
    status === 'verified' && Object.hasOwn(SECTIONS, factor_type)
      ? [
          {
            id,
            kind: factor_type as OwnFactor['kind'],
            name: friendly_name ?? '',
            createdAt: created_at,
          },
        ]
      : [],
  );
}

/** By URL of the backend: whether it accepts phones as second factors. */
const phoneSupport = new LRUCache<string, boolean>({ max: 100, ttl: 300_000 });

/** Detects this by the error of an enrollment without a number, which the backend rejects in any case. */
export async function acceptsPhones(args: VisitorArgs, { auth }: SupabaseClient): Promise<boolean> {
  const { apiUrl } = args.context.get(siteContext).options;
  const known = phoneSupport.get(apiUrl);
  if (known !== undefined) return known;
  const { error } = await auth.mfa.enroll({ factorType: 'phone', phone: '' });
  const isAccepted = error?.code === 'validation_failed';
  if (isAccepted || error?.code === 'mfa_phone_enroll_not_enabled') phoneSupport.set(apiUrl, isAccepted);
  return isAccepted;
}

/** Removes unfinished enrollments first. */
export async function enrollApp(args: VisitorArgs, _form: FormData, { auth }: SupabaseClient) {
  const { data: found } = await auth.mfa.listFactors();
  const unfinished = found?.all.filter(({ status }) => status === 'unverified') ?? [];
  await Promise.all(unfinished.map(({ id }) => auth.mfa.unenroll({ factorId: id })));
  const name = accountTexts[args.context.get(languageContext)].factors.app;
  const friendlyName = freeName(
    name,
    namesOf((found?.all ?? []).filter(({ status }) => status === 'verified')),
  );
  const { data: factor, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) return refuse(args, 'factors', error);
  const { qr_code: qrCode, secret } = factor.totp;
  return outcome({ card: 'factors', enrollment: { factorId: factor.id, qrCode, secret } }, 200);
}

export async function confirmApp(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const texts = accountTexts[language].factors;
  const enrollment = {
    factorId: fieldOf(form, 'factorId'),
    qrCode: pictureOf(fieldOf(form, 'qrCode', Number.POSITIVE_INFINITY)),
    secret: fieldOf(form, 'secret'),
  };
  const code = codeOf(form);
  if (code === '') {
    return outcome({ card: 'factors', problem: oneTimeTexts[language].enterCode, enrollment }, 400);
  }
  const { error } = await auth.mfa.challengeAndVerify({ factorId: enrollment.factorId, code });
  if (error?.code === 'mfa_verification_failed') {
    return outcome({ card: 'factors', problem: texts.wrongCode, enrollment }, 422);
  }
  if (error) return refuse(args, 'factors', error);
  const recoveryCodes = await firstRecoveryCodes(args);
  return outcome({ card: 'factors', success: texts.added, recoveryCodes }, 200);
}

/** Sends a code to the number; the factor is verified with that code. */
export async function enrollPhone(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const typed = fieldOf(form, 'phone');
  const check = checkIdentifier('phone', typed, loginProblemTexts[language]);
  if (check.problem !== undefined) {
    return outcome({ card: 'phones', problem: check.problem, typed }, check.status);
  }
  const { data: found } = await auth.mfa.listFactors();
  const friendlyName = freeName(`+${check.address}`, namesOf(found?.all ?? []));
  const { data: factor, error } = await auth.mfa.enroll({
    factorType: 'phone',
    phone: check.address,
    friendlyName,
  });
  if (error) return refuse(args, 'phones', error, typed);
  const { data: challenge, error: unsent } = await auth.mfa.challenge({ factorId: factor.id });
  if (unsent) {
    await auth.mfa.unenroll({ factorId: factor.id });
    return refuse(args, 'phones', unsent, typed);
  }
  const phoneEnrollment = { factorId: factor.id, challengeId: challenge.id, phone: `+${check.address}` };
  return outcome({ card: 'phones', phoneEnrollment }, 200);
}

export async function confirmPhone(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const phoneEnrollment = {
    factorId: fieldOf(form, 'factorId'),
    challengeId: fieldOf(form, 'challengeId'),
    phone: fieldOf(form, 'phone'),
  };
  const { factorId, challengeId } = phoneEnrollment;
  const code = codeOf(form);
  if (code === '') {
    const problem = oneTimeTexts[language].enterCode;
    return outcome({ card: 'phones', problem, phoneEnrollment }, 400);
  }
  const { error } = await auth.mfa.verify({ factorId, challengeId, code });
  if (error?.code === 'mfa_verification_failed') {
    const problem = oneTimeTexts[language].wrongCode;
    return outcome({ card: 'phones', problem, phoneEnrollment }, 422);
  }
  if (error) return refuse(args, 'phones', error);
  const recoveryCodes = await firstRecoveryCodes(args);
  return outcome({ card: 'phones', success: accountTexts[language].phones.added, recoveryCodes }, 200);
}

export async function removeFactor(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const card = cardOf(form);
  const { error } = await auth.mfa.unenroll({ factorId: fieldOf(form, 'factorId') });
  if (error) return refuse(args, card, error);
  // The session is downgraded to aal1; a refresh updates its token.
  await auth.refreshSession();
  const texts = accountTexts[args.context.get(languageContext)];
  return outcome({ card, success: texts[card].removed }, 200);
}

export async function cancelEnrollment(_args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  await auth.mfa.unenroll({ factorId: fieldOf(form, 'factorId') });
  return outcome({ card: cardOf(form) }, 200);
}

function namesOf(factors: readonly { friendly_name?: string | undefined }[]): { name: string }[] {
  return factors.map(({ friendly_name: name = '' }) => ({ name }));
}

function cardOf(form: FormData): Extract<AccountCard, 'factors' | 'phones' | 'keys'> {
  const card = form.get('card');
  return card === 'phones' || card === 'keys' ? card : 'factors';
}

/** The form returns this value: accept only an inline SVG image. */
function pictureOf(text: string): string {
  return text.startsWith('data:image/svg+xml') ? text : '';
}

function codeOf(form: FormData): string {
  return fieldOf(form, 'code').replace(/[\s-]/g, '');
}
