/** Settings of second factors and passkeys. */
import { z } from 'zod';
import type { Values } from '../variable.ts';
import { booleanVariable, integerVariable, listVariable, textVariable } from '../variable.ts';
import { durationVariable, rateVariable } from './kinds.ts';

/** Environment variables. */
export const factorVariables = {
  GOTRUE_MFA_TOTP_ENROLL_ENABLED: booleanVariable({
    default: 'true',
    description: 'New second factors by an authenticator app.',
  }),
  GOTRUE_MFA_TOTP_VERIFY_ENABLED: booleanVariable({
    default: 'true',
    description: 'Using second factors by an authenticator app.',
  }),
  GOTRUE_MFA_PHONE_ENROLL_ENABLED: booleanVariable({
    default: 'false',
    description: 'New second factors by SMS.',
  }),
  GOTRUE_MFA_PHONE_VERIFY_ENABLED: booleanVariable({
    default: 'false',
    description: 'Using second factors by SMS.',
  }),
  GOTRUE_MFA_PHONE_OTP_LENGTH: integerVariable(6, 10, {
    default: '6',
    description: 'Digits of codes of second factors by SMS.',
  }),
  GOTRUE_MFA_PHONE_MAX_FREQUENCY: durationVariable({
    default: '1m',
    description: 'Least time between two SMS for a second factor.',
  }),
  GOTRUE_MFA_PHONE_TEMPLATE: textVariable('a text with {{ .Code }}', {
    default: 'Your code is {{ .Code }}',
    description: 'Text of an SMS for a second factor.',
  }),
  GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: booleanVariable({
    default: 'true',
    description: 'New second factors by security key or device.',
  }),
  GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED: booleanVariable({
    default: 'true',
    description: 'Using second factors by security key or device.',
  }),
  GOTRUE_MFA_MAX_ENROLLED_FACTORS: integerVariable(1, 100, {
    default: '10',
    description: 'Second factors of one user, finished or not.',
  }),
  GOTRUE_MFA_MAX_VERIFIED_FACTORS: integerVariable(1, 100, {
    default: '10',
    description: 'Second factors of one user.',
  }),
  GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION: integerVariable(300, 86_400, {
    default: '300',
    description: 'How long a challenge of a second factor can be answered, in seconds.',
  }),
  GOTRUE_MFA_FACTOR_EXPIRY_DURATION: durationVariable({
    default: '5m',
    description: 'How long setting up a second factor can be finished.',
  }),
  GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: rateVariable({
    default: '15',
    description: 'Challenges and answers of second factors in a minute.',
  }),
  GOTRUE_WEBAUTHN_RP_ID: textVariable('a host name', {
    default: undefined,
    description: 'Domain that security keys and passkeys are for; unset: that of the public URL.',
  }),
  GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: textVariable('a name', {
    default: undefined,
    description: 'What devices show people; unset: the domain.',
  }),
  GOTRUE_WEBAUTHN_RP_ORIGINS: listVariable(
    'origins separated by commas, e.g. https://example.org',
    { default: undefined, description: 'Origins of pages that may use them; unset: that of the public URL.' },
    z.string().refine((text) => URL.canParse(text)),
  ),
  GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION: durationVariable({
    default: '5m',
    description: 'How long a challenge of a passkey is good.',
  }),
  GOTRUE_PASSKEY_ENABLED: booleanVariable({ default: 'true', description: 'Sign-in with passkeys.' }),
  GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER: integerVariable(1, 100, {
    default: '10',
    description: 'Passkeys of one user.',
  }),
  GOTRUE_RATE_LIMIT_PASSKEY: rateVariable({
    default: '30',
    description: 'Sign-ins with passkeys that are begun in 5 minutes.',
  }),
};

/** Settings. */
export interface FactorSettings {
  factors: {
    enrolls: Record<'totp' | 'phone' | 'webauthn', boolean>;
    verifies: Record<'totp' | 'phone' | 'webauthn', boolean>;
    maxEnrolled: number;
    maxVerified: number;
    /** How long a challenge is good. */
    challengeMs: number;
    /** How long a factor may stay unverified. */
    enrollmentMs: number;
    phoneDigits: number;
    phoneSpacingMs: number;
    /** Of an SMS. */
    phoneTemplate: string;
    /** In a minute. */
    attempts: number;
  };
  webauthn: { rpId: string; rpName: string; origins: readonly string[] };
  passkeys: {
    enabled: boolean;
    /** Of one user. */
    most: number;
    challengeMs: number;
    /** In 5 minutes. */
    attempts: number;
  };
}

/** Groups the values. @param appUrl public URL of the app */
export function factorSettings(values: Values<typeof factorVariables>, appUrl: string): FactorSettings {
  const site = new URL(appUrl);
  const rpId = values.GOTRUE_WEBAUTHN_RP_ID ?? site.hostname;
  return {
    factors: {
      enrolls: {
        totp: values.GOTRUE_MFA_TOTP_ENROLL_ENABLED,
        phone: values.GOTRUE_MFA_PHONE_ENROLL_ENABLED,
        webauthn: values.GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED,
      },
      verifies: {
        totp: values.GOTRUE_MFA_TOTP_VERIFY_ENABLED,
        phone: values.GOTRUE_MFA_PHONE_VERIFY_ENABLED,
        webauthn: values.GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED,
      },
      maxEnrolled: values.GOTRUE_MFA_MAX_ENROLLED_FACTORS,
      maxVerified: values.GOTRUE_MFA_MAX_VERIFIED_FACTORS,
      challengeMs: values.GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION * 1000,
      enrollmentMs: values.GOTRUE_MFA_FACTOR_EXPIRY_DURATION,
      phoneDigits: values.GOTRUE_MFA_PHONE_OTP_LENGTH,
      phoneSpacingMs: values.GOTRUE_MFA_PHONE_MAX_FREQUENCY,
      phoneTemplate: values.GOTRUE_MFA_PHONE_TEMPLATE,
      attempts: values.GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY,
    },
    webauthn: {
      rpId,
      rpName: values.GOTRUE_WEBAUTHN_RP_DISPLAY_NAME ?? rpId,
      origins: values.GOTRUE_WEBAUTHN_RP_ORIGINS ?? [site.origin],
    },
    passkeys: {
      enabled: values.GOTRUE_PASSKEY_ENABLED,
      most: values.GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER,
      challengeMs: values.GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION,
      attempts: values.GOTRUE_RATE_LIMIT_PASSKEY,
    },
  };
}
