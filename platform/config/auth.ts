/**
 * Settings of the authentication service, under the names that GoTrue gives them (`GOTRUE_…`,
 * API_EXTERNAL_URL), so that an existing deployment's environment works. Where a default differs from
 * GoTrue's, docs/reference/auth.md says so.
 */
import { z } from 'zod';
import { type AdminSettings, adminSettings, adminVariables } from './auth/admin.ts';
import { type CaptchaSettings, captchaSettings, captchaVariables } from './auth/captcha.ts';
import { type FactorSettings, factorSettings, factorVariables } from './auth/factors.ts';
import { type FlowSettings, flowSettings, flowVariables } from './auth/flows.ts';
import { type HookSettings, hookSettings, hookVariables } from './auth/hooks.ts';
import { type KeysSettings, keysSettings, keysVariables } from './auth/keys.ts';
import { durationVariable, rateVariable } from './auth/kinds.ts';
import { type LeakSettings, leakSettings, leakVariables } from './auth/leaks.ts';
import { type MailSettings, mailSettings, mailVariables } from './auth/mail.ts';
import { type OAuthServerSettings, oauthServerSettings, oauthServerVariables } from './auth/oauth-server.ts';
import { type ExternalSettings, externalSettings, externalVariables } from './auth/providers.ts';
import { type RetentionSettings, retentionSettings, retentionVariables } from './auth/retention.ts';
import { type SamlSettings, samlSettings, samlVariables } from './auth/saml.ts';
import { type Web3Settings, web3Settings, web3Variables } from './auth/web3.ts';
import type { SmsProviderName } from './sms.ts';
import type { Values } from './variable.ts';
import {
  booleanVariable,
  integerVariable,
  listVariable,
  textVariable,
  urlVariable,
  variable,
} from './variable.ts';

/** Shorter passwords are never allowed, whatever is configured (GoTrue's floor). */
const PASSWORD_LENGTH_FLOOR = 6;
/** bcrypt reads no more bytes of a password than these. */
const PASSWORD_LENGTH_CEILING = 72;
const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600;

/**
 * Sets of characters separated by `:`; `\:` is a colon that belongs to a set. Empty sets are dropped.
 *
 * @example parseCharacterSets('abc:0123') // ['abc', '0123']
 */
export function parseCharacterSets(text: string): string[] {
  const parts = text.match(/(?:\\:|[^:])+/g) ?? [];
  return parts.map((part) => part.replaceAll('\\:', ':'));
}

/** Environment variables of the authentication service. */
export const authVariables = {
  API_EXTERNAL_URL: urlVariable({
    default: undefined,
    description: 'Public URL of the API, without /auth/v1. Unset: GREENROOM_PUBLIC_URL, or http://HOST:PORT.',
  }),
  GOTRUE_API_MAX_REQUEST_DURATION: durationVariable({
    default: '10s',
    description: 'Longest time to work on one request; after it the answer is 504.',
  }),
  GOTRUE_DISABLE_SIGNUP: booleanVariable({ default: 'false', description: 'Refuses new accounts.' }),
  GOTRUE_JWT_EXP: integerVariable(1, TEN_YEARS_SECONDS, {
    default: '3600',
    description: 'Lifetime of access tokens, in seconds.',
  }),
  GOTRUE_JWT_AUD: textVariable('a name', {
    default: 'authenticated',
    description: 'Audience of users and of their tokens.',
  }),
  GOTRUE_JWT_ISSUER: textVariable('a URL or a name', {
    default: undefined,
    description: 'Claim `iss` of access tokens. Unset: API_EXTERNAL_URL followed by /auth/v1.',
  }),
  GOTRUE_JWT_DEFAULT_GROUP_NAME: textVariable('a role of the database', {
    default: 'authenticated',
    description: 'Role of new users.',
  }),
  GOTRUE_JWT_ADMIN_GROUP_NAME: textVariable('a role name', {
    default: 'admin',
    description: 'Users of this role may change their own app_metadata.',
  }),
  GOTRUE_JWT_ADMIN_ROLES: listVariable('role names separated by commas', {
    default: 'service_role,supabase_admin',
    description: 'Tokens with one of these roles may use the admin API.',
  }),
  ...keysVariables,
  ...flowVariables,
  ...factorVariables,
  ...adminVariables,
  ...externalVariables,
  ...web3Variables,
  ...captchaVariables,
  ...leakVariables,
  ...oauthServerVariables,
  ...hookVariables,
  ...mailVariables,
  ...samlVariables,
  GOTRUE_EXTERNAL_EMAIL_ENABLED: booleanVariable({
    default: 'true',
    description: 'Sign-up and sign-in by email address and password.',
  }),
  GOTRUE_EXTERNAL_PHONE_ENABLED: booleanVariable({
    default: 'true',
    description: 'Sign-up and sign-in by phone number and password.',
  }),
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: booleanVariable({
    default: 'false',
    description: 'Accounts without an email address or phone number.',
  }),
  GOTRUE_PASSWORD_MIN_LENGTH: integerVariable(PASSWORD_LENGTH_FLOOR, PASSWORD_LENGTH_CEILING, {
    default: String(PASSWORD_LENGTH_FLOOR),
    description: 'Least length of a password, in bytes.',
  }),
  GOTRUE_PASSWORD_REQUIRED_CHARACTERS: variable(
    z.string().transform(parseCharacterSets),
    'sets of characters separated by colons, \\: for a colon itself',
    { default: '', description: 'A password needs at least one character of each set.' },
  ),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: booleanVariable({
    default: 'false',
    description: 'A new password needs the current one.',
  }),
  GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: booleanVariable({
    default: 'true',
    description: 'A refresh token used again after the reuse interval ends its session.',
  }),
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: integerVariable(0, TEN_YEARS_SECONDS, {
    default: '10',
    description: 'How long after its first use a refresh token may be used again, in seconds.',
  }),
  GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION: integerVariable(0, 2, {
    default: '0',
    description:
      'How refresh tokens of new sessions are made: 0 and 1 are random and stored as hashes, 2 are signed and counted.',
  }),
  GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE: integerVariable(0, 100, {
    default: '0',
    description: 'With version 2, how many of the older sessions go on with signed tokens, in percent.',
  }),
  GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE: booleanVariable({
    default: 'false',
    description: 'With version 2, an old refresh token always leads to the current one.',
  }),
  GOTRUE_SESSIONS_TIMEBOX: durationVariable({
    default: undefined,
    description: 'Longest life of a session. Unset: no limit.',
  }),
  GOTRUE_SESSIONS_INACTIVITY_TIMEOUT: durationVariable({
    default: undefined,
    description: 'Longest time without a refresh. Unset: no limit.',
  }),
  GOTRUE_SESSIONS_ALLOW_LOW_AAL: durationVariable({
    default: undefined,
    description: 'How long somebody who has a second factor may stay signed in without it. Unset: no limit.',
  }),
  GOTRUE_SESSIONS_SINGLE_PER_USER: booleanVariable({
    default: 'false',
    description: 'Only the session of a user that was refreshed last can be refreshed.',
  }),
  GOTRUE_SESSIONS_TAGS: listVariable('names separated by commas', {
    default: '',
    description: 'Kinds of sessions that GOTRUE_SESSIONS_SINGLE_PER_USER counts apart.',
  }),
  GOTRUE_RATE_LIMIT_HEADER: variable(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/),
    'the name of a request header',
    {
      default: undefined,
      description:
        'The header whose first item rate limits count by. Unset: the account or client address counts.',
    },
  ),
  GOTRUE_RATE_LIMIT_OTP: rateVariable({
    default: '30',
    description: 'Sign-ups, requests for messages, and changes of a user, in 5 minutes.',
  }),
  GOTRUE_RATE_LIMIT_TOKEN_REFRESH: rateVariable({
    default: '150',
    description: 'Sign-ins and refreshes in 5 minutes.',
  }),
  GOTRUE_RATE_LIMIT_ANONYMOUS_USERS: rateVariable({
    default: '30',
    description: 'Anonymous sign-ups in an hour.',
  }),
  GREENROOM_RATE_LIMIT_AUTHORIZE: rateVariable({
    default: '150',
    description:
      'Redirects to a provider, returns from one, and requests of applications for consent, in 5 minutes.',
  }),
  GREENROOM_RATE_LIMIT_FAILED_SIGN_INS: rateVariable({
    default: '30',
    description:
      'Wrong guesses of one client address in 5 minutes, where GOTRUE_RATE_LIMIT_HEADER is unset; 0: no limit.',
  }),
  GOTRUE_AUDIT_LOG_DISABLE_POSTGRES: booleanVariable({
    default: 'false',
    description: 'Keeps no audit log in the database.',
  }),
  ...retentionVariables,
};

/** Settings of the authentication service. Times are in milliseconds unless a name says otherwise. */
export interface AuthConfig
  extends FlowSettings,
    FactorSettings,
    AdminSettings,
    KeysSettings,
    HookSettings,
    MailSettings,
    OAuthServerSettings,
    RetentionSettings,
    SamlSettings,
    Web3Settings {
  /** Public URL of the API, without a path. */
  externalUrl: string;
  maxRequestMs: number;
  disableSignup: boolean;
  jwt: {
    expirySeconds: number;
    audience: string;
    issuer: string;
    defaultRole: string;
    /** Users of this role may change their own app_metadata. */
    adminRole: string;
    /** Tokens of these roles may use the admin API. */
    adminRoles: readonly string[];
  };
  external: { email: boolean; phone: boolean; anonymousUsers: boolean };
  externalProviders: ExternalSettings;
  /** Undefined: SMS are kept. */
  smsProvider: SmsProviderName | undefined;
  password: {
    /** Bytes. */
    minLength: number;
    requiredCharacters: readonly string[];
    requireCurrent: boolean;
    requireReauthentication: boolean;
    /** Undefined: leaks are not asked about. */
    leaks: LeakSettings | undefined;
  };
  refreshTokens: {
    rotation: boolean;
    reuseIntervalMs: number;
    /** 2: signed and counted; 0 and 1: stored. */
    version: number;
    upgradePercentage: number;
    allowReuse: boolean;
  };
  sessions: {
    timeboxMs: number | undefined;
    inactivityTimeoutMs: number | undefined;
    allowLowAalMs: number | undefined;
    singlePerUser: boolean;
    tags: readonly string[];
  };
  rateLimits: {
    header: string | undefined;
    /** In 5 minutes. */
    otp: number;
    /** In 5 minutes. */
    verify: number;
    /** In 5 minutes. */
    tokenRefresh: number;
    /** In an hour. */
    anonymousUsers: number;
    /** In 5 minutes. */
    authorize: number;
    /** In 5 minutes; 0 is no limit. */
    failedSignIns: number;
    /** In 5 minutes. */
    web3: number;
  };
  auditLog: boolean;
  /** Undefined: no captchas. */
  captcha: CaptchaSettings | undefined;
}

/**
 * The variables' values, and what else matters here: where the server listens (the base of the public URL where none is
 * set), and who sends SMS.
 */
type AuthValues = Values<typeof authVariables> & {
  HOST: string;
  PORT: number;
  GOTRUE_SMS_PROVIDER: SmsProviderName | undefined;
};

/** URLs that others reach an instance by, without a slash at the end. */
export interface AuthAddresses {
  /** Of this server's pages. */
  appUrl: string;
  /** Where sign-ins end that name no other page. */
  siteUrl: string;
  /** Of the API. */
  externalUrl: string;
}

/**
 * Groups the values of the variables by what they are for.
 * @param ofProviders values of the variables of external providers
 */
export function authConfig(
  values: AuthValues,
  ofProviders: Record<string, unknown>,
  { appUrl, siteUrl, externalUrl }: AuthAddresses,
): AuthConfig {
  return {
    externalUrl,
    maxRequestMs: values.GOTRUE_API_MAX_REQUEST_DURATION,
    disableSignup: values.GOTRUE_DISABLE_SIGNUP,
    jwt: {
      expirySeconds: values.GOTRUE_JWT_EXP,
      audience: values.GOTRUE_JWT_AUD,
      issuer: values.GOTRUE_JWT_ISSUER ?? `${externalUrl}/auth/v1`,
      defaultRole: values.GOTRUE_JWT_DEFAULT_GROUP_NAME,
      adminRole: values.GOTRUE_JWT_ADMIN_GROUP_NAME,
      adminRoles: values.GOTRUE_JWT_ADMIN_ROLES,
    },
    ...keysSettings(values),
    ...flowSettings(values, { appUrl, siteUrl }),
    ...factorSettings(values, appUrl),
    ...adminSettings(values),
    ...web3Settings(values),
    ...oauthServerSettings(values),
    ...hookSettings(values),
    ...mailSettings(values),
    ...samlSettings(values, externalUrl),
    ...retentionSettings(values),
    external: {
      email: values.GOTRUE_EXTERNAL_EMAIL_ENABLED,
      phone: values.GOTRUE_EXTERNAL_PHONE_ENABLED,
      anonymousUsers: values.GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED,
    },
    externalProviders: externalSettings(values, ofProviders, externalUrl),
    smsProvider: values.GOTRUE_SMS_PROVIDER,
    password: {
      minLength: values.GOTRUE_PASSWORD_MIN_LENGTH,
      requiredCharacters: values.GOTRUE_PASSWORD_REQUIRED_CHARACTERS,
      requireCurrent: values.GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD,
      requireReauthentication: values.GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION,
      leaks: leakSettings(values),
    },
    refreshTokens: {
      rotation: values.GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED,
      reuseIntervalMs: values.GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL * 1000,
      version: values.GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION,
      upgradePercentage: values.GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE,
      allowReuse: values.GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE,
    },
    sessions: sessionSettings(values),
    rateLimits: {
      header: values.GOTRUE_RATE_LIMIT_HEADER?.toLowerCase(),
      otp: values.GOTRUE_RATE_LIMIT_OTP,
      verify: values.GOTRUE_RATE_LIMIT_VERIFY,
      tokenRefresh: values.GOTRUE_RATE_LIMIT_TOKEN_REFRESH,
      anonymousUsers: values.GOTRUE_RATE_LIMIT_ANONYMOUS_USERS,
      authorize: values.GREENROOM_RATE_LIMIT_AUTHORIZE,
      failedSignIns: values.GREENROOM_RATE_LIMIT_FAILED_SIGN_INS,
      web3: values.GOTRUE_RATE_LIMIT_WEB3,
    },
    auditLog: !values.GOTRUE_AUDIT_LOG_DISABLE_POSTGRES,
    captcha: captchaSettings(values),
  };
}

function sessionSettings(values: AuthValues): AuthConfig['sessions'] {
  return {
    timeboxMs: values.GOTRUE_SESSIONS_TIMEBOX,
    inactivityTimeoutMs: values.GOTRUE_SESSIONS_INACTIVITY_TIMEOUT,
    allowLowAalMs: values.GOTRUE_SESSIONS_ALLOW_LOW_AAL,
    singlePerUser: values.GOTRUE_SESSIONS_SINGLE_PER_USER,
    tags: values.GOTRUE_SESSIONS_TAGS,
  };
}
