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
  field: 'form' | 'identifier' | 'password';
  message: string;
  status: number;
}

/** The name of a text, with the part of the form; a name alone belongs to the form as a whole. */
type Sentence = AuthErrorText | [field: PlainError['field'], text: AuthErrorText];

const SENTENCES: Readonly<Record<string, Sentence>> = {
  invalid_credentials: 'wrongCredentials',
  user_not_found: 'wrongCredentials',
  email_not_confirmed: 'emailNotConfirmed',
  phone_not_confirmed: 'phoneNotConfirmed',
  user_banned: 'blocked',
  user_already_exists: 'addressTaken',
  email_exists: ['identifier', 'emailTaken'],
  phone_exists: ['identifier', 'phoneTaken'],
  email_address_invalid: ['identifier', 'emailInvalid'],
  email_address_not_authorized: ['identifier', 'emailNotAuthorized'],
  weak_password: ['password', 'weakPassword'],
  same_password: ['password', 'samePassword'],
  current_password_required: 'currentPasswordRequired',
  current_password_invalid: 'wrongCurrentPassword',
  reauthentication_needed: 'codeRequired',
  reauthentication_not_valid: 'wrongCode',
  signup_disabled: 'signUpDisabled',
  otp_disabled: 'signUpDisabled',
  email_provider_disabled: 'emailDisabled',
  phone_provider_disabled: 'phoneDisabled',
  anonymous_provider_disabled: 'missingCredentials',
  over_request_rate_limit: 'tooManyAttempts',
  over_email_send_rate_limit: 'tooManyMessages',
  over_sms_send_rate_limit: 'tooManyMessages',
  sms_send_failed: 'smsFailed',
  captcha_failed: 'captchaFailed',
  no_authorization: 'sessionExpired',
  bad_jwt: 'sessionExpired',
  session_expired: 'sessionExpired',
  session_not_found: 'sessionExpired',
  refresh_token_already_used: 'sessionExpired',
  refresh_token_not_found: 'sessionExpired',
  insufficient_aal: 'secondFactorRequired',
  user_sso_managed: 'managedByOrganisation',
  bad_code_verifier: 'wrongBrowser',
  pkce_code_verifier_not_found: 'wrongBrowser',
  flow_state_not_found: 'expiredLink',
  flow_state_expired: 'expiredLink',
  flow_state_already_used: 'expiredLink',
  otp_expired: 'expiredLink',
  invite_not_found: 'expiredInvitation',
  bad_oauth_state: 'signInInterrupted',
  saml_relay_state_expired: 'signInInterrupted',
  saml_relay_state_not_found: 'signInInterrupted',
  bad_oauth_callback: 'providerResponseInvalid',
  oauth_provider_not_supported: 'providerUnavailable',
  provider_disabled: 'providerUnavailable',
  custom_provider_not_found: 'providerUnavailable',
  provider_email_needs_verification: 'emailNotConfirmed',
  access_denied: 'accessDenied',
  identity_already_exists: 'identityTaken',
  identity_not_found: 'identityNotFound',
  single_identity_not_deletable: 'lastSignInMethod',
  email_conflict_identity_not_deletable: 'identityEmailConflict',
  sso_provider_not_found: 'organisationNotFound',
  saml_idp_not_found: 'organisationNotFound',
  sso_provider_disabled: 'organisationDisabled',
  saml_provider_disabled: 'organisationDisabled',
  saml_assertion_no_email: 'organisationResponseInvalid',
  saml_assertion_no_user_id: 'organisationResponseInvalid',
  web3_provider_disabled: 'walletsDisabled',
  web3_unsupported_chain: 'walletUnsupported',
  feature_disabled: 'featureDisabled',
  manual_linking_disabled: 'featureDisabled',
  passkey_disabled: 'featureDisabled',
  mfa_phone_enroll_not_enabled: 'featureDisabled',
  mfa_phone_verify_not_enabled: 'featureDisabled',
  mfa_totp_enroll_not_enabled: 'featureDisabled',
  mfa_totp_verify_not_enabled: 'featureDisabled',
  mfa_webauthn_enroll_not_enabled: 'featureDisabled',
  mfa_webauthn_verify_not_enabled: 'featureDisabled',
  mfa_verification_failed: 'wrongCode',
  mfa_verification_rejected: 'attemptRejected',
  mfa_challenge_expired: 'promptExpired',
  webauthn_challenge_expired: 'promptExpired',
  webauthn_challenge_not_found: 'promptExpired',
  webauthn_verification_failed: 'credentialRejected',
  webauthn_credential_exists: 'credentialExists',
  mfa_factor_not_found: 'factorNotFound',
  mfa_factor_name_conflict: 'factorNameTaken',
  mfa_ip_address_mismatch: 'networkChanged',
  mfa_verified_factor_exists: 'phoneFactorExists',
  too_many_enrolled_mfa_factors: 'tooManyFactors',
  too_many_passkeys: 'tooManyPasskeys',
  oauth_authorization_not_found: 'appRequestNotFound',
  oauth_client_not_found: 'appRequestNotFound',
  oauth_consent_not_found: 'appAccessNotFound',
  conflict: 'conflict',
  validation_failed: 'invalidInput',
  request_entity_too_large: 'tooLong',
  request_timeout: 'serviceTimeout',
  hook_timeout: 'serviceTimeout',
  hook_timeout_after_retry: 'serviceTimeout',
  hook_payload_invalid_content_type: 'hookFailed',
  hook_payload_over_size_limit: 'hookFailed',
  unknown: 'hookRejected',
  unexpected_failure: 'serverError',
  server_error: 'serverError',
  temporarily_unavailable: 'serverError',
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
    return { field: 'form', message: errorMessage({ code: 'backendUnreachable' }, language), status: 503 };
  }
  const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 400;
  // Only the site's operator writes hooks, and their messages are meant for the user.
  if (error.code === HOOK_REFUSAL && error.message) return { field: 'form', message: error.message, status };
  const sentence = findSentence(error);
  const [field, text] = typeof sentence === 'string' ? (['form', sentence] as const) : sentence;
  return { field, message: texts[text], status };
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
  return (code !== undefined && Object.hasOwn(SENTENCES, code) && SENTENCES[code]) || 'unknownError';
}
