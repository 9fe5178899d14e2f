/**
 * Configuration: environment variables and `.env`, parsed once at the start into one typed value.
 */

export type { LinkFlow, MailKind, NotificationName } from './auth/mail.ts';
export { type JsonWebKey, parseSigningKeys } from './auth/signing-keys.ts';
export type { AuthConfig } from './auth.ts';
export { appUrl, type Config, type ConfigSource, loadConfig, loadDotEnv } from './config.ts';
export { ConfigError, type ConfigProblem } from './config-error.ts';
export type { SmtpSettings } from './messages.ts';
export { configurationReference } from './reference.ts';
export type { SmsCredentials, SmsProviderName, SmsSettings } from './sms.ts';
