/**
 * The auth service's refusals in plain words. Codes are those that its sign-up, sign-in, code exchange and sign-out
 * can raise; a code that is not listed shows the service's own sentence.
 */
import { BACKEND_UNREACHABLE_MESSAGE, isBackendFailure } from '../session/backend-failure.ts';

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

type Sentence = string | { place: PlainError['place']; message: string };

const identifier = (message: string): Sentence => ({ place: 'identifier', message });
const password = (message: string): Sentence => ({ place: 'password', message });

const SLOW_DOWN = 'Too many attempts. Please wait a few minutes and try again.';
const OLD_LINK = 'This link has expired or was already used. Please ask for a new one.';
const OTHER_BROWSER =
  'This link belongs to another browser or device. Open it where you started, or sign in with your password.';

const SENTENCES: Readonly<Record<string, Sentence>> = {
  invalid_credentials: 'The email, phone number or password is not right.',
  user_not_found: 'The email, phone number or password is not right.',
  email_not_confirmed: 'Your email address is not confirmed yet. Open the link in the message we sent you.',
  phone_not_confirmed: 'Your phone number is not confirmed yet. Use the code in the message we sent you.',
  user_banned: 'This account is blocked. Please contact the people who run this site.',
  user_already_exists: 'There is already an account for this address. Sign in instead.',
  email_exists: identifier('There is already an account for this email address. Sign in instead.'),
  phone_exists: identifier('There is already an account for this phone number. Sign in instead.'),
  email_address_invalid: identifier('This email address cannot be used. Please try another one.'),
  email_address_not_authorized: identifier(
    'Messages cannot be sent to this email address. Please try another one.',
  ),
  weak_password: password('Choose a stronger password.'),
  same_password: password('Choose a password that differs from the old one.'),
  signup_disabled: 'New accounts cannot be created at the moment.',
  email_provider_disabled: 'Email addresses are not accepted here. Use your phone number instead.',
  phone_provider_disabled: 'Phone numbers are not accepted here. Use your email address instead.',
  anonymous_provider_disabled: 'You must provide either an email or phone number and a password',
  over_request_rate_limit: SLOW_DOWN,
  over_email_send_rate_limit: 'Too many messages were sent. Please wait a minute and try again.',
  over_sms_send_rate_limit: 'Too many messages were sent. Please wait a minute and try again.',
  sms_send_failed: 'The text message could not be sent. Check the number and try again.',
  captcha_failed: 'The check that you are a person did not succeed. Please try again.',
  bad_code_verifier: OTHER_BROWSER,
  pkce_code_verifier_not_found: OTHER_BROWSER,
  flow_state_not_found: OLD_LINK,
  flow_state_expired: OLD_LINK,
  flow_state_already_used: OLD_LINK,
  otp_expired: OLD_LINK,
  bad_oauth_state: 'Signing in took too long or was interrupted. Please start again.',
  bad_oauth_callback: 'The other service did not say who you are. Please start again.',
  oauth_provider_not_supported: 'Signing in with this service is not possible here.',
  provider_email_needs_verification:
    'Confirm your email address first: open the link in the message we sent you.',
  access_denied: 'You did not give permission, so nothing was changed.',
  conflict: 'Something else changed at the same time. Please try again.',
  request_entity_too_large: 'What you entered is too long.',
  hook_timeout: 'The sign-in service took too long. Please try again.',
  hook_timeout_after_retry: 'The sign-in service took too long. Please try again.',
};

/** `validation_failed` says what it is about in its text only. */
const VALIDATIONS: readonly [RegExp, Sentence][] = [
  [/email/i, identifier('This is not an email address. It should look like name@example.com.')],
  [/phone/i, identifier('Enter the number with its country code, for example +44 7700 900123.')],
  [
    /password.*72|72.*password/i,
    password('Use a shorter password: at most 72 letters, fewer with accents or emoji.'),
  ],
  [/password/i, password('Choose a password.')],
];

const WEAKNESSES: Readonly<Record<string, string>> = {
  length: 'Use a longer password.',
  characters: 'Use letters of both kinds, digits and signs.',
  pwned: 'This password is known from a data leak; use another one.',
};

/** Puts an error into words. Statuses of the 4xx kind are kept; a backend that fails is a 503. */
export function describeAuthError(error: AuthFailure): PlainError {
  if (isBackendFailure(error)) return { place: 'form', message: BACKEND_UNREACHABLE_MESSAGE, status: 503 };
  const sentence = findSentence(error);
  const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 400;
  return typeof sentence === 'string'
    ? { place: 'form', message: sentence, status }
    : { ...sentence, status };
}

function findSentence(error: AuthFailure): Sentence {
  const { code, message, reasons = [] } = error;
  if (code === 'weak_password' && reasons.length > 0) return password(weaknesses(reasons) || message);
  if (code === 'validation_failed') return VALIDATIONS.find(([text]) => text.test(message))?.[1] ?? message;
  return (code !== undefined && Object.hasOwn(SENTENCES, code) && SENTENCES[code]) || message;
}

function weaknesses(reasons: readonly string[]): string {
  return reasons.flatMap((reason) => WEAKNESSES[reason] ?? []).join(' ');
}
