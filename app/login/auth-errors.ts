/**
 * The auth service's refusals in plain words. Codes are those that its sign-up, sign-in, code exchange and sign-out
 * can raise; a code that is not listed shows the service's own sentence.
 */
import { errorMessage } from '../errors/error-words.ts';
import { isBackendFailure } from '../session/backend-failure.ts';
import { type AuthErrorText, authErrorTexts } from '../texts/auth-errors.ts';
import type { Language } from '../texts/language.ts';

/** An error of the official auth client, as far as it matters here. */
export interface AuthFailure {
  name: string;
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  /** Of a weak password: `length`, `characters`, `pwned`. */
  reasons?: readonly string[] | undefined;
}

/** What to tell, at which place of the form, with which HTTP status. */
export interface PlainError {
  place: 'form' | 'identifier' | 'password';
  message: string;
  status: number;
}

/** A text by its name, and the place for it; alone it is for the form as a whole. */
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
  signup_disabled: 'signUpClosed',
  email_provider_disabled: 'noEmails',
  phone_provider_disabled: 'noPhones',
  anonymous_provider_disabled: 'nothingGiven',
  over_request_rate_limit: 'tooManyAttempts',
  over_email_send_rate_limit: 'tooManyMessages',
  over_sms_send_rate_limit: 'tooManyMessages',
  sms_send_failed: 'smsFailed',
  captcha_failed: 'captchaFailed',
  bad_code_verifier: 'otherBrowser',
  pkce_code_verifier_not_found: 'otherBrowser',
  flow_state_not_found: 'oldLink',
  flow_state_expired: 'oldLink',
  flow_state_already_used: 'oldLink',
  otp_expired: 'oldLink',
  bad_oauth_state: 'interrupted',
  bad_oauth_callback: 'otherServiceSilent',
  oauth_provider_not_supported: 'otherServiceUnknown',
  provider_email_needs_verification: 'confirmFirst',
  access_denied: 'noPermission',
  conflict: 'conflict',
  request_entity_too_large: 'tooLong',
  hook_timeout: 'tookTooLong',
  hook_timeout_after_retry: 'tookTooLong',
};

/** `validation_failed` says what it is about in its text only. */
const VALIDATIONS: readonly [RegExp, Sentence][] = [
  [/email/i, ['identifier', 'notAnEmail']],
  [/phone/i, ['identifier', 'notAPhone']],
  [/password.*72|72.*password/i, ['password', 'longPassword']],
  [/password/i, ['password', 'choosePassword']],
];

const WEAKNESSES: Readonly<Record<string, AuthErrorText>> = {
  length: 'weakLength',
  characters: 'weakCharacters',
  pwned: 'leakedPassword',
};

/** Puts an error into words. Statuses of the 4xx kind are kept; a backend that fails is a 503. */
export function describeAuthError(error: AuthFailure, language: Language): PlainError {
  const texts = authErrorTexts[language];
  if (isBackendFailure(error)) {
    return { place: 'form', message: errorMessage({ code: 'backendUnreachable' }, language), status: 503 };
  }
  const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 400;
  const weaknesses = error.code === 'weak_password' ? weaknessTexts(error.reasons) : [];
  if (weaknesses.length > 0) {
    return { place: 'password', message: weaknesses.map((text) => texts[text]).join(' '), status };
  }
  const sentence = findSentence(error);
  if (sentence === undefined) return { place: 'form', message: error.message, status };
  const [place, text] = typeof sentence === 'string' ? (['form', sentence] as const) : sentence;
  return { place, message: texts[text], status };
}

function findSentence({ code, message }: AuthFailure): Sentence | undefined {
  if (code === 'validation_failed') return VALIDATIONS.find(([pattern]) => pattern.test(message))?.[1];
  return code !== undefined && Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
}

function weaknessTexts(reasons: readonly string[] = []): AuthErrorText[] {
  return reasons.flatMap((reason) => (Object.hasOwn(WEAKNESSES, reason) ? (WEAKNESSES[reason] ?? []) : []));
}
