/** Settings of sessions, access tokens and refresh tokens. */
import {
  booleanSetting,
  durationSetting,
  durationText,
  integerSetting,
  listSetting,
  textSetting,
  thousands,
} from '@greenroom/config';

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600;

export const jwtTree = {
  expirySeconds: integerSetting('GOTRUE_JWT_EXP', 1, TEN_YEARS_SECONDS, {
    default: '3600',
    configKey: 'auth.jwt_expiry',
    description: 'Lifetime of access tokens, in seconds.',
  }),
  audience: textSetting('GOTRUE_JWT_AUD', 'a name', {
    default: 'authenticated',
    description: 'Audience of users and of their tokens.',
  }),
  issuer: textSetting('GOTRUE_JWT_ISSUER', 'a URL or a name', {
    default: undefined,
    configKey: 'auth.jwt_issuer',
    description: 'Claim `iss` of access tokens. Unset: API_EXTERNAL_URL followed by /auth/v1.',
  }),
  defaultRole: textSetting('GOTRUE_JWT_DEFAULT_GROUP_NAME', 'a role of the database', {
    default: 'authenticated',
    description: 'Role of new users.',
  }),
  /** Role of users who may change their own app_metadata. */
  adminRole: textSetting('GOTRUE_JWT_ADMIN_GROUP_NAME', 'a role name', {
    default: 'admin',
    description: 'Users of this role may change their own app_metadata.',
  }),
  /** Roles of tokens that may use the admin API. */
  adminRoles: listSetting('GOTRUE_JWT_ADMIN_ROLES', 'role names separated by commas', {
    default: 'service_role,supabase_admin',
    description: 'Tokens with one of these roles may use the admin API.',
  }),
};

export const refreshTokenTree = {
  rotation: booleanSetting('GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED', {
    default: 'true',
    configKey: 'auth.enable_refresh_token_rotation',
    description: 'Whether the reuse of a refresh token after the reuse interval ends its session.',
  }),
  reuseIntervalMs: integerSetting('GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL', 0, TEN_YEARS_SECONDS, {
    default: '10',
    configKey: 'auth.refresh_token_reuse_interval',
    description: 'Time after its first use in which a refresh token may be used again, in seconds.',
  }).map(thousands),
  /** 2: signed tokens with a counter; 0 and 1: random tokens, stored as hashes. */
  version: integerSetting('GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION', 0, 2, {
    default: '0',
    description:
      'Refresh tokens of new sessions. 0 and 1: random and stored as hashes. 2: signed, with a counter.',
  }),
  upgradePercentage: integerSetting('GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE', 0, 100, {
    default: '0',
    description: 'With version 2: percentage of older sessions that switch to signed tokens.',
  }),
  allowReuse: booleanSetting('GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE', {
    default: 'false',
    description: 'With version 2: whether an old token always returns the current one.',
  }),
};

export const sessionTree = {
  timeboxMs: durationSetting('GOTRUE_SESSIONS_TIMEBOX', {
    default: undefined,
    configKey: { key: 'auth.sessions.timebox', toText: durationText },
    description: 'Maximum lifetime of a session. Unset: no limit.',
  }),
  inactivityTimeoutMs: durationSetting('GOTRUE_SESSIONS_INACTIVITY_TIMEOUT', {
    default: undefined,
    configKey: { key: 'auth.sessions.inactivity_timeout', toText: durationText },
    description: 'Maximum time without a refresh. Unset: no limit.',
  }),
  allowLowAalMs: durationSetting('GOTRUE_SESSIONS_ALLOW_LOW_AAL', {
    default: undefined,
    description: 'Maximum time without the second factor, for users who have one. Unset: no limit.',
  }),
  singlePerUser: booleanSetting('GOTRUE_SESSIONS_SINGLE_PER_USER', {
    default: 'false',
    description: 'Whether only the most recently refreshed session of a user can be refreshed.',
  }),
  tags: listSetting('GOTRUE_SESSIONS_TAGS', 'names separated by commas', {
    default: '',
    description: 'Kinds of sessions that GOTRUE_SESSIONS_SINGLE_PER_USER counts separately.',
  }),
};
