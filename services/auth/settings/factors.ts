/** Settings of second factors and passkeys. */
import {
  booleanSetting,
  durationSetting,
  integerSetting,
  listSetting,
  listText,
  rateSetting,
  type SettingsOf,
  textSetting,
  thousands,
} from '@greenroom/config';
import { z } from 'zod';
import { smsTemplateText } from './sms-template.ts';

/** The settings of one type of factor: whether it can be enrolled, and whether it can be used. */
function factorType(variable: string, factors: string, enabled: 'true' | 'false') {
  return {
    enrolls: booleanSetting(`GOTRUE_MFA_${variable}_ENROLL_ENABLED`, {
      default: enabled,
      configKey: { key: `auth.mfa.${variable.toLowerCase()}.enroll_enabled`, default: false },
      description: `Whether ${factors} can be added as second factors.`,
    }),
    verifies: booleanSetting(`GOTRUE_MFA_${variable}_VERIFY_ENABLED`, {
      default: enabled,
      configKey: { key: `auth.mfa.${variable.toLowerCase()}.verify_enabled`, default: false },
      description: `Whether ${factors} can be used as second factors.`,
    }),
  };
}

const totp = factorType('TOTP', 'authenticator apps', 'true');
const phone = factorType('PHONE', 'phone numbers', 'false');
const webauthn = factorType('WEB_AUTHN', 'security keys and devices', 'true');

export const factorTree = {
  enrolls: { totp: totp.enrolls, phone: phone.enrolls, webauthn: webauthn.enrolls },
  verifies: { totp: totp.verifies, phone: phone.verifies, webauthn: webauthn.verifies },
  maxEnrolled: integerSetting('GOTRUE_MFA_MAX_ENROLLED_FACTORS', 1, 100, {
    default: '10',
    configKey: 'auth.mfa.max_enrolled_factors',
    description: 'Maximum number of second factors of a user, verified or not.',
  }),
  maxVerified: integerSetting('GOTRUE_MFA_MAX_VERIFIED_FACTORS', 1, 100, {
    default: '10',
    description: 'Maximum number of verified second factors of a user.',
  }),
  challengeMs: integerSetting('GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION', 300, 86_400, {
    default: '300',
    description: 'Time to answer a challenge of a second factor, in seconds.',
  }).map(thousands),
  /** How long a factor may stay unverified. */
  enrollmentMs: durationSetting('GOTRUE_MFA_FACTOR_EXPIRY_DURATION', {
    default: '5m',
    description: 'Time to verify a new second factor.',
  }),
  phoneDigits: integerSetting('GOTRUE_MFA_PHONE_OTP_LENGTH', 6, 10, {
    default: '6',
    configKey: 'auth.mfa.phone.otp_length',
    description: 'Number of digits of codes of phone factors.',
  }),
  phoneSpacingMs: durationSetting('GOTRUE_MFA_PHONE_MAX_FREQUENCY', {
    default: '1m',
    configKey: { key: 'auth.mfa.phone.max_frequency', default: '5s' },
    description: 'Minimum time between two SMS of a phone factor.',
  }),
  phoneTemplate: textSetting('GOTRUE_MFA_PHONE_TEMPLATE', 'a text that contains {{ .Code }}', {
    default: 'Your code is {{ .Code }}',
    configKey: { key: 'auth.mfa.phone.template', toText: smsTemplateText },
    description: 'Text of an SMS of a phone factor.',
  }),
  /** Attempts per minute. */
  attempts: rateSetting('GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY', {
    default: '15',
    description: 'Challenges and answers of second factors per account in a minute.',
  }),
};

export const webauthnTree = {
  rpId: textSetting('GOTRUE_WEBAUTHN_RP_ID', 'a host name', {
    default: undefined,
    configKey: 'auth.webauthn.rp_id',
    description: 'Domain of security keys and passkeys. Unset: the domain of the public URL.',
  }),
  rpName: textSetting('GOTRUE_WEBAUTHN_RP_DISPLAY_NAME', 'a name', {
    default: undefined,
    configKey: 'auth.webauthn.rp_display_name',
    description: 'Name of the site that devices show for security keys and passkeys. Unset: the domain.',
  }),
  origins: listSetting(
    'GOTRUE_WEBAUTHN_RP_ORIGINS',
    'origins separated by commas, e.g. https://example.org',
    {
      default: undefined,
      configKey: { key: 'auth.webauthn.rp_origins', toText: listText },
      description:
        'Origins of pages that may use security keys and passkeys. Unset: the origin of the public URL.',
    },
    z.string().refine((text) => URL.canParse(text)),
  ),
};

export const passkeyTree = {
  challengeMs: durationSetting('GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION', {
    default: '5m',
    description: 'Lifetime of the challenge of a passkey.',
  }),
  enabled: booleanSetting('GOTRUE_PASSKEY_ENABLED', {
    default: 'true',
    configKey: { key: 'auth.passkey.enabled', default: 'false' },
    description: 'Whether users may sign in with passkeys.',
  }),
  /** Maximum number per user. */
  maxPerUser: integerSetting('GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER', 1, 100, {
    default: '10',
    description: 'Maximum number of passkeys of a user.',
  }),
  /** Attempts per 5 minutes. */
  attempts: rateSetting('GOTRUE_RATE_LIMIT_PASSKEY', {
    default: '30',
    description: 'Started sign-ins with passkeys per client in 5 minutes.',
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
