/** WebAuthn ceremonies with the official client. Loaded on demand, because no page needs them to render. */

import type { PageConfig } from '../../lib/page/page-config.ts';
import { browserClient } from '../../session/browser-client.ts';

/** Undefined after a success. */
export type CeremonyProblem =
  | 'cancelled'
  | 'already-registered'
  | 'rejected'
  | 'disabled'
  | 'failed'
  | 'too-many-passkeys'
  | 'too-many-factors'
  | 'captcha'
  | undefined;

/**
 * Signs in with a passkey; the session is in the cookies afterwards. @param captchaToken empty if none is
 * needed
 */
export async function signInWithPasskey(config: PageConfig, captchaToken: string): Promise<CeremonyProblem> {
  const options = captchaToken === '' ? {} : { captchaToken };
  return problemOf((await browserClient(config).auth.signInWithPasskey({ options })).error);
}

/** Adds a passkey to the account. */
export async function addPasskey(config: PageConfig): Promise<CeremonyProblem> {
  return problemOf((await browserClient(config).auth.registerPasskey()).error);
}

/** Adds a security key as a second factor; the session has aal2 afterwards. */
export async function addKey(config: PageConfig, friendlyName: string): Promise<CeremonyProblem> {
  const { auth } = browserClient(config);
  const { error } = await auth.mfa.webauthn.register({ friendlyName });
  if (error) await forgetUnfinished(config);
  return problemOf(error);
}

/** Verifies a security key as the second step. */
export async function verifyKey(config: PageConfig, factorId: string): Promise<CeremonyProblem> {
  return problemOf((await browserClient(config).auth.mfa.webauthn.authenticate({ factorId })).error);
}

/** Removes unfinished enrollments, which would block another one. */
async function forgetUnfinished(config: PageConfig): Promise<void> {
  const { mfa } = browserClient(config).auth;
  const { data: found } = await mfa.listFactors();
  const unfinished = found?.all.filter(
    ({ status, factor_type }) => status === 'unverified' && factor_type === 'webauthn',
  );
  await Promise.all((unfinished ?? []).map(({ id: factorId }) => mfa.unenroll({ factorId })));
}

/**
 * Converts an error. @param error of the official client: those of the browser have the name
 * `NotAllowedError`, those of the backend a code
 */
export function problemOf(error: { name: string; code?: unknown } | null): CeremonyProblem {
  if (error === null) return undefined;
  return PROBLEMS[String(error.code)] ?? PROBLEMS[error.name] ?? 'failed';
}

const PROBLEMS: Readonly<Record<string, CeremonyProblem>> = {
  ERROR_CEREMONY_ABORTED: 'cancelled',
  NotAllowedError: 'cancelled',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'already-registered',
  webauthn_credential_exists: 'already-registered',
  webauthn_verification_failed: 'rejected',
  webauthn_challenge_expired: 'cancelled',
  webauthn_challenge_not_found: 'cancelled',
  mfa_verification_failed: 'rejected',
  mfa_challenge_expired: 'cancelled',
  captcha_failed: 'captcha',
  passkey_disabled: 'disabled',
  mfa_webauthn_enroll_not_enabled: 'disabled',
  mfa_webauthn_verify_not_enabled: 'disabled',
  too_many_passkeys: 'too-many-passkeys',
  too_many_enrolled_mfa_factors: 'too-many-factors',
};
