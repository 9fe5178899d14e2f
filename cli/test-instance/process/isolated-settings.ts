/** The settings that test instances do not share with other instances of the project, so that nothing leaves the test. */
import type { ConfigSource } from '@greenroom/config';

const ISOLATED_SETTINGS: readonly string[] = [
  // Addresses of the instance.
  'PORT',
  'HOST',
  'GREENROOM_TLS_ENABLED',
  'GREENROOM_HTTPS_DOMAINS',
  'GREENROOM_PUBLIC_URL',
  'API_EXTERNAL_URL',
  'GREENROOM_TRUST_PROXY',
  'GREENROOM_DATA_DIR',
  'GREENROOM_CLI_KEYS',
  'GREENROOM_CDN_URL',
  'GREENROOM_COOKIE_PREFIX',
  // The database.
  'DATABASE_URL',
  'GREENROOM_DB_PORT',
  'GREENROOM_DB_TLS',
  'GREENROOM_DB_ALLOWED_RANGES',
  'GREENROOM_DB_ALLOWED_RANGES_V6',
  // Other servers.
  'SUPABASE_URL',
  'SUPABASE_ANON_KEY',
  'SUPABASE_SERVICE_ROLE_KEY',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'REDIS_URL',
  'GOTRUE_SMTP_HOST',
  'GOTRUE_SMS_PROVIDER',
  'GOTRUE_SECURITY_CAPTCHA_ENABLED',
  'GOTRUE_PASSWORD_HIBP_ENABLED',
  'GREENROOM_FUNCTIONS_AI_URL',
  'GREENROOM_BACKUP_URL',
  // The mailbox.
  'GREENROOM_MAILBOX_ENABLED',
  'GREENROOM_MAILBOX_PORT',
  'GREENROOM_MAILBOX_SMTP_PORT',
  'GREENROOM_MAILBOX_POP3_PORT',
  'GREENROOM_FUNCTIONS_INSPECTOR_PORT',
];

/** The parts of the names of hooks: `GOTRUE_HOOK_{name}_URI` and others. */
const HOOK_URI = /^GOTRUE_HOOK_\w+(?=_URI$)/;
const HTTP_URL = /^\s*https?:/i;
const HOOK_SETTINGS = ['ENABLED', 'URI', 'SECRETS'];

/**
 * Returns the names of settings that a test instance takes from the test only: those that name other servers, the
 * addresses of the deployment, or its ports. Hooks that are functions of the database stay.
 */
export function isolatedSettings(source: ConfigSource): string[] {
  const hooks = Object.entries(source).flatMap(([name, text]) => {
    const [hook] = HOOK_URI.exec(name) ?? [];
    return hook !== undefined && HTTP_URL.test(text ?? '') ? [hook] : [];
  });
  return [...ISOLATED_SETTINGS, ...hooks.flatMap((hook) => HOOK_SETTINGS.map((part) => `${hook}_${part}`))];
}

/** The settings of a test instance, unless the test gives others. */
export const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
  PORT: '0',
  GREENROOM_DB_PORT: '0',
  GREENROOM_MAILBOX_ENABLED: 'true',
  GREENROOM_MAILBOX_PORT: '0',
  LOG_LEVEL: 'warn',
  // A test may request two mails or SMS at once.
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
};
