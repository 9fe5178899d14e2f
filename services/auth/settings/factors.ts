/** Settings of second factors and passkeys. */
import {
  booleanSetting,
  durationSetting,
  integerSetting,
  listSetting,
  rateSetting,
  type SettingsOf,
  textSetting,
  thousands,
} from '@greenroom/config';
import { z } from 'zod';

/** The settings of one type of factor: whether it can be enrolled, and whether it can be used. */
function factorType(variable: string, means: string, enabled: 'true' | 'false') {
  return {
    enrolls: booleanSetting(`GOTRUE_MFA_${variable}_ENROLL_ENABLED`, {
      default: enabled,
      description: `New second factors by ${means}.`,
    }),
    verifies: booleanSetting(`GOTRUE_MFA_${variable}_VERIFY_ENABLED`, {
      default: enabled,
      description: `Use of second factors by ${means}.`,
    }),
  };
}

const totp = factorType('TOTP', 'an authenticator app', 'true');
const phone = factorType('PHONE', 'SMS', 'false');
const webauthn = factorType('WEB_AUTHN', 'security key or device', 'true');

export const factorTree = {
  enrolls: { totp: totp.enrolls, phone: phone.enrolls, webauthn: webauthn.enrolls },
  verifies: { totp: totp.verifies, phone: phone.verifies, webauthn: webauthn.verifies },
  maxEnrolled: integerSetting('GOTRUE_MFA_MAX_ENROLLED_FACTORS', 1, 100, {
    default: '10',
    description: 'Second factors of one user, verified or not.',
  }),
  maxVerified: integerSetting('GOTRUE_MFA_MAX_VERIFIED_FACTORS', 1, 100, {
    default: '10',
    description: 'Verified second factors of one user.',
  }),
  challengeMs: integerSetting('GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION', 300, 86_400, {
    default: '300',
    description: 'How long a challenge of a second factor can be answered, in seconds.',
  }).map(thousands),
  /** How long a factor may stay unverified. */
  enrollmentMs: durationSetting('GOTRUE_MFA_FACTOR_EXPIRY_DURATION', {
    default: '5m',
    description: 'How long the enrolment of a second factor can be finished.',
  }),
  phoneDigits: integerSetting('GOTRUE_MFA_PHONE_OTP_LENGTH', 6, 10, {
    default: '6',
    description: 'Digits of codes of second factors by SMS.',
  }),
  phoneSpacingMs: durationSetting('GOTRUE_MFA_PHONE_MAX_FREQUENCY', {
    default: '1m',
    description: 'Minimum time between two SMS for a second factor.',
  }),
  phoneTemplate: textSetting('GOTRUE_MFA_PHONE_TEMPLATE', 'a text with {{ .Code }}', {
    default: 'Your code is {{ .Code }}',
    description: 'Text of an SMS for a second factor.',
  }),
  /** Attempts per minute. */
  attempts: rateSetting('GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY', {
    default: '15',
    description: 'Challenges and answers of second factors in a minute.',
  }),
};

export const webauthnTree = {
  rpId: textSetting('GOTRUE_WEBAUTHN_RP_ID', 'a host name', {
    default: undefined,
    description: 'Domain of security keys and passkeys. Unset: that of the public URL.',
  }),
  rpName: textSetting('GOTRUE_WEBAUTHN_RP_DISPLAY_NAME', 'a name', {
    default: undefined,
    description: 'Name that devices show. Unset: the domain.',
  }),
  origins: listSetting(
    'GOTRUE_WEBAUTHN_RP_ORIGINS',
    'origins separated by commas, e.g. https://example.org',
    { default: undefined, description: 'Origins of pages that may use them. Unset: that of the public URL.' },
    z.string().refine((text) => URL.canParse(text)),
  ),
};

export const passkeyTree = {
  challengeMs: durationSetting('GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION', {
    default: '5m',
    description: 'Lifetime of a challenge of a passkey.',
  }),
  enabled: booleanSetting('GOTRUE_PASSKEY_ENABLED', {
    default: 'true',
    description: 'Sign-in with passkeys.',
  }),
  /** Maximum number per user. */
  maxPerUser: integerSetting('GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER', 1, 100, {
    default: '10',
    description: 'Passkeys of one user.',
  }),
  /** Attempts per 5 minutes. */
  attempts: rateSetting('GOTRUE_RATE_LIMIT_PASSKEY', {
    default: '30',
    description: 'Sign-ins with passkeys that are started in 5 minutes.',
  }),
};

/**
 * Adds the defaults, which depend on the URL of the app.
 * @param appUrl public URL of the app
 */
export function completeWebauthn(values: SettingsOf<typeof webauthnTree>, appUrl: string) {
  const site = new URL(appUrl);
  const rpId = values.rpId ?? site.hostname;
  return { rpId, rpName: values.rpName ?? rpId, origins: values.origins ?? [site.origin] };
}
