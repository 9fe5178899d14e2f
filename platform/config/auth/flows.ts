/** Settings of what takes more than one request: confirmation by mail and SMS, one-time codes, where links lead. */
import { z } from 'zod';
import type { Values } from '../variable.ts';
import { booleanVariable, integerVariable, listVariable, textVariable, variable } from '../variable.ts';
import { durationVariable, rateVariable } from './kinds.ts';

const MAX_LIFETIME_SECONDS = 10 * 24 * 3600;
/** GoTrue's floor: a shorter time would end flows while people are at their provider. */
const FLOW_LIFETIME_FLOOR_MS = 300_000;

/** `15550100=123456,15550101=654321`: the digits of a number, and the code that it gets. */
function testCodesVariable(details: { description: string; default: undefined }) {
  const pair = /^\+?(\d{2,15})=(\d{4,10})$/;
  const schema = z
    .string()
    .transform((text) => text.split(',').map((item) => item.trim()))
    .pipe(z.array(z.string().regex(pair)))
    .transform((pairs) => new Map(pairs.map((text) => pair.exec(text)?.slice(1) as [string, string])));
  return variable(schema, 'pairs of phone number and code, e.g. 15550100=123456', details);
}

/** `49,1,!1876`: prefixes of numbers in E.164, allowed or, after `!`, excluded. */
function dialPrefixesVariable(details: { description: string; default: '' }) {
  const schema = z
    .string()
    .transform((text) => text.split(',').map((item) => item.trim()))
    .transform((items) => items.filter((item) => item !== ''))
    .pipe(z.array(z.string().regex(/^!?\+?[1-9]\d{0,14}$/)))
    .transform((items) => new Map(items.map((item) => [item.replace(/\D/g, ''), !item.startsWith('!')])));
  return variable(
    schema,
    'country codes, or longer prefixes, separated by commas; !1876 excludes one',
    details,
  );
}

/** A point in time, e.g. `2027-01-31T00:00:00Z`. */
function instantVariable(details: { description: string; default: undefined }) {
  const schema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
  return variable(schema, 'a time such as 2027-01-31T00:00:00Z', details);
}

/** Environment variables. */
export const flowVariables = {
  GOTRUE_URI_ALLOW_LIST: listVariable('URL patterns separated by commas', {
    default: '',
    description: 'Where links may lead besides the site itself; `*` stops at `.` and `/`, `**` does not.',
  }),
  GOTRUE_MAILER_AUTOCONFIRM: booleanVariable({
    default: 'true',
    description: 'Whether accounts are usable at once, without a confirmation by mail.',
  }),
  GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: booleanVariable({
    default: 'true',
    description: 'A new email address has to be confirmed from the old mailbox, too.',
  }),
  GOTRUE_MAILER_OTP_EXP: integerVariable(1, MAX_LIFETIME_SECONDS, {
    default: '3600',
    description: 'Lifetime of codes and links in mails, in seconds.',
  }),
  GOTRUE_MAILER_OTP_LENGTH: integerVariable(6, 10, {
    default: '6',
    description: 'Digits of codes in mails.',
  }),
  GOTRUE_SMTP_MAX_FREQUENCY: durationVariable({
    default: '1m',
    description: 'Least time between two mails of a kind to one address.',
  }),
  GOTRUE_SMS_AUTOCONFIRM: booleanVariable({
    default: 'true',
    description: 'Whether accounts are usable at once, without a confirmation by SMS.',
  }),
  GOTRUE_SMS_OTP_EXP: integerVariable(1, MAX_LIFETIME_SECONDS, {
    default: '60',
    description: 'Lifetime of codes in SMS, in seconds.',
  }),
  GOTRUE_SMS_OTP_LENGTH: integerVariable(6, 10, { default: '6', description: 'Digits of codes in SMS.' }),
  GOTRUE_SMS_MAX_FREQUENCY: durationVariable({
    default: '1m',
    description: 'Least time between two SMS of a kind to one number.',
  }),
  GOTRUE_SMS_TEMPLATE: textVariable('a text with {{ .Code }}', {
    default: 'Your code is {{ .Code }}',
    description: 'Text of an SMS.',
  }),
  GREENROOM_SMS_MAILBOX: booleanVariable({
    default: 'true',
    description: 'Keeps SMS in the database where no provider is configured; false: refuses to send them.',
  }),
  GOTRUE_SMS_TEST_OTP: testCodesVariable({
    default: undefined,
    description: 'Numbers that get no SMS and always the same code, for tests and reviewers.',
  }),
  GOTRUE_SMS_TEST_OTP_VALID_UNTIL: instantVariable({
    default: undefined,
    description: 'Until when those codes are taken; unset: for ever.',
  }),
  GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED: booleanVariable({
    default: 'true',
    description: 'Sign-in by a link or code in a mail.',
  }),
  GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION: durationVariable({
    default: '5m',
    description: 'How long a sign-in that was begun can be finished, at least 5 minutes.',
  }),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: booleanVariable({
    default: 'false',
    description: 'A new password needs a code by mail or SMS, where the session is older than a day.',
  }),
  GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: booleanVariable({
    default: 'false',
    description: 'Whether people may take ways to sign in away from their account.',
  }),
  GOTRUE_RATE_LIMIT_VERIFY: rateVariable({ default: '30', description: 'Calls of /verify in 5 minutes.' }),
  GOTRUE_RATE_LIMIT_EMAIL_SENT: rateVariable({
    default: '30',
    description: 'Mails that leave this process in an hour, in total; 0 sends none at all.',
  }),
  GREENROOM_RATE_LIMIT_EMAIL_PER_CLIENT: rateVariable({
    default: '10',
    description: 'Mails that one client address, or account, may request in an hour.',
  }),
  GREENROOM_RATE_LIMIT_EMAIL_PER_RECIPIENT: rateVariable({
    default: '10',
    description: 'Mails to one address in an hour.',
  }),
  GOTRUE_RATE_LIMIT_SMS_SENT: rateVariable({
    default: '30',
    description: 'SMS that leave this process in an hour, in total; 0 sends none at all.',
  }),
  GREENROOM_RATE_LIMIT_SMS_PER_CLIENT: rateVariable({
    default: '10',
    description: 'SMS that one client address, or account, may request in an hour.',
  }),
  GREENROOM_RATE_LIMIT_SMS_PER_RECIPIENT: rateVariable({
    default: '5',
    description: 'SMS to one number in an hour.',
  }),
  GREENROOM_SMS_COUNTRIES: dialPrefixesVariable({
    default: '',
    description:
      'Country codes that SMS may go to, such as 49,43,1; the longest prefix of a number decides, `!1876` excludes. Unset: all.',
  }),
};

/** What codes of one channel are like. */
interface OneTimeCodes {
  digits: number;
  lifetimeMs: number;
  /** Least time between two messages of a kind to one recipient. */
  spacingMs: number;
  /** Messages that leave the machine in an hour, in total. */
  perHour: number;
  /** Of these, requested by one client. */
  perClientHour: number;
  /** Of these, to one recipient. */
  perRecipientHour: number;
}

/** Settings. */
export interface FlowSettings {
  redirects: {
    /** Where sign-ins end that name no other page, without a slash at the end. */
    siteUrl: string;
    /** Of this server's own pages. */
    appUrl: string;
    allowList: readonly string[];
  };
  autoconfirm: { email: boolean; phone: boolean };
  codes: { email: OneTimeCodes; phone: OneTimeCodes };
  secureEmailChange: boolean;
  magicLinks: boolean;
  manualLinking: boolean;
  smsTemplate: string;
  /** Whether SMS that nobody can send are kept. */
  keepsSms: boolean;
  /** Prefixes of numbers → whether SMS may go there; the longest decides. Empty: everywhere. */
  smsPrefixes: ReadonlyMap<string, boolean>;
  /** By the digits of a number; none after `testCodesUntil`. */
  testCodes: ReadonlyMap<string, string>;
  testCodesUntil: Date | undefined;
  flowLifetimeMs: number;
}

/** Groups the values. */
export function flowSettings(
  values: Values<typeof flowVariables>,
  { appUrl, siteUrl }: Pick<FlowSettings['redirects'], 'appUrl' | 'siteUrl'>,
): FlowSettings {
  return {
    redirects: { siteUrl, appUrl, allowList: values.GOTRUE_URI_ALLOW_LIST },
    autoconfirm: { email: values.GOTRUE_MAILER_AUTOCONFIRM, phone: values.GOTRUE_SMS_AUTOCONFIRM },
    codes: {
      email: {
        digits: values.GOTRUE_MAILER_OTP_LENGTH,
        lifetimeMs: values.GOTRUE_MAILER_OTP_EXP * 1000,
        spacingMs: values.GOTRUE_SMTP_MAX_FREQUENCY,
        perHour: values.GOTRUE_RATE_LIMIT_EMAIL_SENT,
        perClientHour: values.GREENROOM_RATE_LIMIT_EMAIL_PER_CLIENT,
        perRecipientHour: values.GREENROOM_RATE_LIMIT_EMAIL_PER_RECIPIENT,
      },
      phone: {
        digits: values.GOTRUE_SMS_OTP_LENGTH,
        lifetimeMs: values.GOTRUE_SMS_OTP_EXP * 1000,
        spacingMs: values.GOTRUE_SMS_MAX_FREQUENCY,
        perHour: values.GOTRUE_RATE_LIMIT_SMS_SENT,
        perClientHour: values.GREENROOM_RATE_LIMIT_SMS_PER_CLIENT,
        perRecipientHour: values.GREENROOM_RATE_LIMIT_SMS_PER_RECIPIENT,
      },
    },
    secureEmailChange: values.GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED,
    manualLinking: values.GOTRUE_SECURITY_MANUAL_LINKING_ENABLED,
    magicLinks: values.GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED,
    smsTemplate: values.GOTRUE_SMS_TEMPLATE,
    keepsSms: values.GREENROOM_SMS_MAILBOX,
    smsPrefixes: values.GREENROOM_SMS_COUNTRIES,
    testCodes: values.GOTRUE_SMS_TEST_OTP ?? new Map(),
    testCodesUntil: values.GOTRUE_SMS_TEST_OTP_VALID_UNTIL,
    flowLifetimeMs: Math.max(values.GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION, FLOW_LIFETIME_FLOOR_MS),
  };
}
