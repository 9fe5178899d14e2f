/**
 * Configuration: environment variables and `.env`, parsed once at the start into one typed value.
 */

export type { CaptchaSettings } from './auth/captcha.ts';
export type { FunctionTarget, HookName, HookTarget, HttpTarget } from './auth/hooks.ts';
export type { LeakSettings } from './auth/leaks.ts';
export type { LinkFlow, MailKind, NotificationName } from './auth/mail.ts';
export { PROVIDER_NAMES, type ProviderSettings } from './auth/providers.ts';
export { parseSigningKeys } from './auth/signing-keys.ts';
export type { AuthConfig } from './auth.ts';
export {
  type Config,
  loadConfig,
  loadDataConfig,
  loadDotEnv,
  loadStandaloneConfig,
  type StandaloneConfig,
} from './config.ts';
export { ConfigError, type ConfigProblem } from './config-error.ts';
export type { ConfigSource } from './config-source.ts';
export type { DataConfig } from './data.ts';
export type { SmtpSettings } from './messages.ts';
export { appUrl, isPublicUrl } from './public-url.ts';
export type { RealtimeConfig } from './realtime.ts';
export { configurationReference } from './reference.ts';
export type { SmsCredentials, SmsProviderName, SmsSettings } from './sms.ts';
export type { Listening } from './standalone.ts';
export type { QuotaConfig, S3StoreConfig, StorageConfig } from './storage.ts';
