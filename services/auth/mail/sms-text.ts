/** Texts of SMS. */

import { ConfigError } from '@greenroom/config';
import type { SmsText } from '../contracts/mailer.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { compileText } from './template/index.ts';

/** Compiles the templates of SMS. Throws a {@link ConfigError} if one is invalid or does not contain the code. */
export function createSmsText({
  smsTemplate,
  factors,
}: Pick<AuthConfig, 'smsTemplate' | 'factors'>): SmsText {
  const templates = {
    code: compile('GOTRUE_SMS_TEMPLATE', smsTemplate),
    factor: compile('GOTRUE_MFA_PHONE_TEMPLATE', factors.phoneTemplate),
  };
  return (kind, code) => templates[kind]({ Code: code });
}

const SAMPLE = '1234567890';

function compile(name: string, source: string) {
  try {
    const template = compileText(source);
    if (!template({ Code: SAMPLE }).includes(SAMPLE)) throw new Error('it does not contain {{ .Code }}');
    return template;
  } catch (error) {
    const allowed = `a text that contains {{ .Code }} (${(error as Error).message})`;
    throw new ConfigError([{ name, value: source, allowed }]);
  }
}
