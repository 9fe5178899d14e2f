/** Settings of the instance under attack: production mode, a public URL, and every service that attacks can target. */
import { generateKeyPairSync } from 'node:crypto';

/** Public URL of the instance. It is not a loopback URL, so that limits apply to clients on the loopback. */
export const PUBLIC_URL = 'https://greenroom.example';

/**
 * `open`: new addresses need no confirmation. `confirming`: new addresses must be confirmed by a message.
 */
export type Profile = 'open' | 'confirming';

/** Ports of an instance and of the sinks that receive its messages. */
interface Ports {
  http: number;
  postgres: number;
  smtp: number;
  sms: number;
}

/** Returns the environment variables of an instance. */
export function instanceSettings(profile: Profile, ports: Ports): Record<string, string> {
  const autoconfirm = String(profile === 'open');
  return {
    PORT: String(ports.http),
    GREENROOM_DB_PORT: String(ports.postgres),
    GREENROOM_MAILBOX_ENABLED: 'false',
    HOST: '127.0.0.1',
    SITE_URL: PUBLIC_URL,
    API_EXTERNAL_URL: PUBLIC_URL,
    // The total limit must not be exhausted, because all attacks share it, although their addresses differ.
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '300',
    GOTRUE_RATE_LIMIT_SMS_SENT: '300',
    GOTRUE_MAILER_AUTOCONFIRM: autoconfirm,
    GOTRUE_SMS_AUTOCONFIRM: autoconfirm,
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: String(ports.smtp),
    GOTRUE_SMTP_ADMIN_EMAIL: 'greenroom@greenroom.example',
    GOTRUE_SMS_PROVIDER: 'twilio',
    GREENROOM_SMS_PROVIDER_URL: `http://127.0.0.1:${ports.sms}`,
    GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC1',
    GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'token',
    GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'MG1',
    GOTRUE_EXTERNAL_GITHUB_ENABLED: 'true',
    GOTRUE_EXTERNAL_GITHUB_CLIENT_ID: 'client',
    GOTRUE_EXTERNAL_GITHUB_SECRET: 'secret',
    GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
    GOTRUE_OAUTH_SERVER_ENABLED: 'true',
    GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
    GOTRUE_SAML_ENABLED: 'true',
    GOTRUE_SAML_PRIVATE_KEY: samlKey(),
  };
}

function samlKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64');
}
