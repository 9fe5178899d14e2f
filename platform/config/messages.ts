/** Settings of mail that leaves this machine, under GoTrue's names. Without a mail server, mails stay here. */
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { integerVariable, textVariable, type Values, variable } from './variable.ts';

/** Environment variables. */
export const messageVariables = {
  GOTRUE_SMTP_HOST: textVariable('a host name', {
    default: undefined,
    description: 'Mail server; unset: mails are kept in the database and announced in the log.',
  }),
  GOTRUE_SMTP_PORT: integerVariable(1, 65_535, {
    default: '587',
    description: 'Its port; 465 is TLS at once.',
  }),
  GOTRUE_SMTP_USER: textVariable('a name', { default: undefined, description: 'Name to log in with.' }),
  GOTRUE_SMTP_PASS: textVariable('a password', {
    default: undefined,
    description: 'Password to log in with.',
    secret: true,
  }),
  GOTRUE_SMTP_ADMIN_EMAIL: variable(z.email(), 'an email address', {
    default: undefined,
    description: 'Sender of mails; needed with a mail server.',
  }),
  GOTRUE_SMTP_SENDER_NAME: textVariable('a name', {
    default: undefined,
    description: 'Name of the sender.',
  }),
};

/** How mails are sent. */
export interface SmtpSettings {
  host: string;
  port: number;
  login: { user: string; pass: string } | undefined;
  sender: { name: string; address: string };
}

/** Groups the values; undefined where there is no mail server. Throws {@link ConfigError} without a sender. */
export function smtpSettings(values: Values<typeof messageVariables>): SmtpSettings | undefined {
  const { GOTRUE_SMTP_HOST: host, GOTRUE_SMTP_ADMIN_EMAIL: address, GOTRUE_SMTP_USER: user } = values;
  if (host === undefined) return undefined;
  if (address === undefined) {
    const { allowed } = messageVariables.GOTRUE_SMTP_ADMIN_EMAIL;
    throw new ConfigError([
      { name: 'GOTRUE_SMTP_ADMIN_EMAIL', value: '', allowed: `${allowed} (GOTRUE_SMTP_HOST is set)` },
    ]);
  }
  const login = user === undefined ? undefined : { user, pass: values.GOTRUE_SMTP_PASS ?? '' };
  const sender = { name: values.GOTRUE_SMTP_SENDER_NAME ?? '', address };
  return { host, port: values.GOTRUE_SMTP_PORT, login, sender };
}
