/** Settings of mail that leaves this machine, under GoTrue's names. Without a mail server, mails stay here. */
import { z } from 'zod';
import { ConfigError, type ConfigProblem } from './config-error.ts';
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

/**
 * Groups the values; undefined where there is no mail server. Throws {@link ConfigError} where there is no sender, or a
 * login is only half there.
 */
export function smtpSettings(values: Values<typeof messageVariables>): SmtpSettings | undefined {
  const { GOTRUE_SMTP_HOST: host, GOTRUE_SMTP_ADMIN_EMAIL: address } = values;
  const { GOTRUE_SMTP_USER: user, GOTRUE_SMTP_PASS: pass } = values;
  if (host === undefined) return undefined;
  const problems = [
    ...(address === undefined ? [needed('GOTRUE_SMTP_ADMIN_EMAIL', 'GOTRUE_SMTP_HOST')] : []),
    ...(user !== undefined && pass === undefined ? [needed('GOTRUE_SMTP_PASS', 'GOTRUE_SMTP_USER')] : []),
    ...(user === undefined && pass !== undefined ? [needed('GOTRUE_SMTP_USER', 'GOTRUE_SMTP_PASS')] : []),
  ];
  if (address === undefined || problems.length > 0) throw new ConfigError(problems);
  const login = user === undefined || pass === undefined ? undefined : { user, pass };
  const sender = { name: values.GOTRUE_SMTP_SENDER_NAME ?? '', address };
  return { host, port: values.GOTRUE_SMTP_PORT, login, sender };
}

function needed(name: keyof typeof messageVariables, since: string): ConfigProblem {
  return { name, value: '', allowed: `${messageVariables[name].allowed} (${since} is set)` };
}
