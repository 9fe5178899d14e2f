/**
 * Translates errors of the auth service for users. An unknown or missing code gets a general sentence: the
 * service's messages are written for developers, and the text in a link can come from an attacker.
 */

import type { Language } from '../lib/language.ts';
import { type AuthErrorText, authErrorTexts } from '../texts/auth-errors.ts';
import { isBackendFailure } from './backend-failure.ts';
import { errorMessage } from './error-message.ts';

/** The fields of the official auth client's errors that matter here. */
export interface AuthFailure {
  name: string;
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  /** Reasons of a weak password: `length`, `characters`, `pwned`. weak-password.ts explains them. */
  reasons?: readonly string[] | undefined;
}

/** A message, the part of the form that it belongs to, and the HTTP status. */
export interface PlainError {
  place: 'form' | 'identifier' | 'password';
  message: string;
  status: number;
}

/** The name of a text, with the part of the form; a name alone belongs to the form as a whole. */
type Sentence = AuthErrorText | [place: PlainError['place'], text: AuthErrorText];

const SENTENCES: Readonly<Record<string, Sentence>> = {
  invalid_credentials: 'wrongCredentials',
  user_not_found: 'wrongCredentials',
  email_not_confirmed: 'emailNotConfirmed',
  phone_not_confirmed: 'phoneNotConfirmed',
  user_banned: 'blocked',
  user_already_exists: 'addressTaken',
  email_exists: ['identifier', 'emailTaken'],
  phone_exists: ['identifier', 'phoneTaken'],
  email_address_invalid: ['identifier', 'emailUnusable'],
  email_address_not_authorized: ['identifier', 'emailUnreachable'],
  weak_password: ['password', 'weakPassword'],
  same_password: ['password', 'samePassword'],
  current_password_required: 'currentNeeded',
  current_password_invalid: 'currentWrong',
  reauthentication_needed: 'codeNeeded',
  reauthentication_not_valid: 'wrongCode',
  signup_disabled: 'signUpClosed',
  otp_disabled: 'signUpClosed',
  email_provider_disabled: 'noEmails',
  phone_provider_disabled: 'noPhones',
  anonymous_provider_disabled: 'nothingGiven',
  over_request_rate_limit: 'tooManyAttempts',
  over_email_send_rate_limit: 'tooManyMessages',
  over_sms_send_rate_limit: 'tooManyMessages',
  sms_send_failed: 'smsFailed',
  captcha_failed: 'captchaFailed',
  no_authorization: 'signInAgain',
  bad_jwt: 'signInAgain',
  session_expired: 'signInAgain',
  session_not_found: 'signInAgain',
  refresh_token_already_used: 'signInAgain',
  refresh_token_not_found: 'signInAgain',
  insufficient_aal: 'proveFirst',
  user_sso_managed: 'managed',
  bad_code_verifier: 'otherBrowser',
  pkce_code_verifier_not_found: 'otherBrowser',
  flow_state_not_found: 'oldLink',
  flow_state_expired: 'oldLink',
  flow_state_already_used: 'oldLink',
  otp_expired: 'oldLink',
  invite_not_found: 'oldInvitation',
  bad_oauth_state: 'interrupted',
  saml_relay_state_expired: 'interrupted',
  saml_relay_state_not_found: 'interrupted',
  bad_oauth_callback: 'otherServiceSilent',
  oauth_provider_not_supported: 'otherServiceUnknown',
  provider_disabled: 'otherServiceUnknown',
  custom_provider_not_found: 'otherServiceUnknown',
  provider_email_needs_verification: 'confirmFirst',
  access_denied: 'noPermission',
  identity_already_exists: 'identityTaken',
  identity_not_found: 'identityGone',
  single_identity_not_deletable: 'onlyWay',
  email_conflict_identity_not_deletable: 'sharedAddress',
  sso_provider_not_found: 'organisationUnknown',
  saml_idp_not_found: 'organisationUnknown',
  sso_provider_disabled: 'organisationOff',
  saml_provider_disabled: 'organisationOff',
  saml_assertion_no_email: 'organisationSilent',
  saml_assertion_no_user_id: 'organisationSilent',
  web3_provider_disabled: 'walletsOff',
  web3_unsupported_chain: 'walletUnknown',
  feature_disabled: 'notOffered',
  manual_linking_disabled: 'notOffered',
  passkey_disabled: 'notOffered',
  mfa_phone_enroll_not_enabled: 'notOffered',
  mfa_phone_verify_not_enabled: 'notOffered',
  mfa_totp_enroll_not_enabled: 'notOffered',
  mfa_totp_verify_not_enabled: 'notOffered',
  mfa_webauthn_enroll_not_enabled: 'notOffered',
  mfa_webauthn_verify_not_enabled: 'notOffered',
  mfa_verification_failed: 'wrongCode',
  mfa_verification_rejected: 'attemptRefused',
  mfa_challenge_expired: 'tookYouTooLong',
  webauthn_challenge_expired: 'tookYouTooLong',
  webauthn_challenge_not_found: 'tookYouTooLong',
  webauthn_verification_failed: 'keyFailed',
  webauthn_credential_exists: 'keyExists',
  mfa_factor_not_found: 'factorGone',
  mfa_factor_name_conflict: 'nameTaken',
  mfa_ip_address_mismatch: 'otherNetwork',
  mfa_verified_factor_exists: 'factorExists',
  too_many_enrolled_mfa_factors: 'tooManyFactors',
  too_many_passkeys: 'tooManyPasskeys',
  oauth_authorization_not_found: 'applicationGone',
  oauth_client_not_found: 'applicationGone',
  oauth_consent_not_found: 'applicationGone',
  conflict: 'conflict',
  validation_failed: 'notValid',
  request_entity_too_large: 'tooLong',
  request_timeout: 'tookTooLong',
  hook_timeout: 'tookTooLong',
  hook_timeout_after_retry: 'tookTooLong',
  hook_payload_invalid_content_type: 'ruleFailed',
  hook_payload_over_size_limit: 'ruleFailed',
  unknown: 'ruleRefused',
  unexpected_failure: 'ourFault',
  server_error: 'ourFault',
  temporarily_unavailable: 'ourFault',
};

/** Only the message of `validation_failed` contains the name of the invalid field. */
const VALIDATIONS: readonly [RegExp, Sentence][] = [
  [/email/i, ['identifier', 'notAnEmail']],
  [/phone/i, ['identifier', 'notAPhone']],
  [/password.*72|72.*password/i, ['password', 'longPassword']],
  [/password/i, ['password', 'choosePassword']],
];

/** Error code of hooks that return a message of their own. */
const HOOK_REFUSAL = 'unknown';

/** Translates an error. Statuses 400 to 499 are kept; a failing backend becomes a 503. */
export function describeAuthError(error: AuthFailure, language: Language): PlainError {
  const texts = authErrorTexts[language];
  if (isBackendFailure(error)) {
    return { place: 'form', message: errorMessage({ code: 'backendUnreachable' }, language), status: 503 };
  }
  const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 400;
  // Only the site's operator writes hooks, and their messages are meant for the user.
  if (error.code === HOOK_REFUSAL && error.message) return { place: 'form', message: error.message, status };
  const sentence = findSentence(error);
  const [place, text] = typeof sentence === 'string' ? (['form', sentence] as const) : sentence;
  return { place, message: texts[text], status };
}

/**
 * Translates an error code from a URL. The author of the link chose the code, so it only selects one of the
 * app's own sentences.
 */
export function describeLinkError(code: string | undefined, language: Language): PlainError {
  return describeAuthError({ name: 'AuthApiError', message: '', code, status: 400 }, language);
}

function findSentence({ name, code: serviceCode, message }: AuthFailure): Sentence {
  // The official client throws a special error class for this case, without a code.
  const code = name === 'AuthSessionMissingError' ? 'session_not_found' : serviceCode;
  const validation =
    code === 'validation_failed' ? VALIDATIONS.find(([pattern]) => pattern.test(message)) : undefined;
  if (validation) return validation[1];
  return (code !== undefined && Object.hasOwn(SENTENCES, code) && SENTENCES[code]) || 'somethingElse';
}
