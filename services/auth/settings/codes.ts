/** Settings of one-time codes by mail and SMS, and of the messages that carry them. */
import {
  booleanSetting,
  durationSetting,
  integerSetting,
  rateSetting,
  setting,
  textSetting,
  thousands,
} from '@greenroom/config';
import { z } from 'zod';

const MAX_LIFETIME_SECONDS = 10 * 24 * 3600;

/** Codes of one channel. */
export const codeTree = {
  email: {
    digits: integerSetting('GOTRUE_MAILER_OTP_LENGTH', 6, 10, {
      default: '6',
      description: 'Digits of codes in mails.',
    }),
    lifetimeMs: integerSetting('GOTRUE_MAILER_OTP_EXP', 1, MAX_LIFETIME_SECONDS, {
      default: '3600',
      description: 'Lifetime of codes and links in mails, in seconds.',
    }).map(thousands),
    /** Minimum time between two messages of a kind to one recipient. */
    spacingMs: durationSetting('GOTRUE_SMTP_MAX_FREQUENCY', {
      default: '1m',
      description: 'Minimum time between two mails of a kind to one address.',
    }),
    /** Messages that leave the machine in an hour, in total. */
    perHour: rateSetting('GOTRUE_RATE_LIMIT_EMAIL_SENT', {
      default: '30',
      description: 'Mails that leave this process in an hour, in total; 0 sends none at all.',
    }),
    /** Of these, requested by one client. */
    perClientHour: rateSetting('GREENROOM_RATE_LIMIT_EMAIL_PER_CLIENT', {
      default: '10',
      description: 'Mails that one client address, or account, may request in an hour.',
    }),
    /** Of these, to one recipient. */
    perRecipientHour: rateSetting('GREENROOM_RATE_LIMIT_EMAIL_PER_RECIPIENT', {
      default: '10',
      description: 'Mails to one address in an hour.',
    }),
  },
  phone: {
    digits: integerSetting('GOTRUE_SMS_OTP_LENGTH', 6, 10, {
      default: '6',
      description: 'Digits of codes in SMS.',
    }),
    lifetimeMs: integerSetting('GOTRUE_SMS_OTP_EXP', 1, MAX_LIFETIME_SECONDS, {
      default: '60',
      description: 'Lifetime of codes in SMS, in seconds.',
    }).map(thousands),
    /** Minimum time between two messages of a kind to one recipient. */
    spacingMs: durationSetting('GOTRUE_SMS_MAX_FREQUENCY', {
      default: '1m',
      description: 'Minimum time between two SMS of a kind to one number.',
    }),
    /** Messages that leave the machine in an hour, in total. */
    perHour: rateSetting('GOTRUE_RATE_LIMIT_SMS_SENT', {
      default: '30',
      description: 'SMS that leave this process in an hour, in total; 0 sends none at all.',
    }),
    /** Of these, requested by one client. */
    perClientHour: rateSetting('GREENROOM_RATE_LIMIT_SMS_PER_CLIENT', {
      default: '10',
      description: 'SMS that one client address, or account, may request in an hour.',
    }),
    /** Of these, to one recipient. */
    perRecipientHour: rateSetting('GREENROOM_RATE_LIMIT_SMS_PER_RECIPIENT', {
      default: '5',
      description: 'SMS to one number in an hour.',
    }),
  },
};

const TEST_CODE = /^\+?(\d{2,15})=(\d{4,10})$/;

/** `15550100=123456,15550101=654321`: the digits of a number, and its code. */
const testCodes = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(z.string().regex(TEST_CODE)))
  .transform((pairs): ReadonlyMap<string, string> => {
    return new Map(pairs.map((text) => TEST_CODE.exec(text)?.slice(1) as [string, string]));
  });

/** `49,1,!1876`: prefixes of numbers in E.164, allowed or, after `!`, excluded. */
const dialPrefixes = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''))
  .pipe(z.array(z.string().regex(/^!?\+?[1-9]\d{0,14}$/)))
  .transform((items): ReadonlyMap<string, boolean> => {
    return new Map(items.map((item) => [item.replace(/\D/g, ''), !item.startsWith('!')]));
  });

/** A point in time, e.g. `2027-01-31T00:00:00Z`. */
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const smsTree = {
  smsTemplate: textSetting('GOTRUE_SMS_TEMPLATE', 'a text with {{ .Code }}', {
    default: 'Your code is {{ .Code }}',
    description: 'Text of an SMS.',
  }),
  /** Whether SMS are kept where no provider is configured. */
  keepsSms: booleanSetting('GREENROOM_SMS_MAILBOX', {
    default: 'true',
    description: 'Keeps SMS in the database where no provider is configured; false: refuses to send them.',
  }),
  /** By the digits of a number; not accepted after `testCodesUntil`. */
  testCodes: setting(
    'GOTRUE_SMS_TEST_OTP',
    testCodes,
    'pairs of phone number and code, e.g. 15550100=123456',
    {
      default: undefined,
      description: 'Numbers that get no SMS and always the same code, for tests and reviewers.',
    },
  ),
  testCodesUntil: setting('GOTRUE_SMS_TEST_OTP_VALID_UNTIL', instant, 'a time such as 2027-01-31T00:00:00Z', {
    default: undefined,
    description: 'Time until which those codes are accepted; unset: for ever.',
  }),
  /** Prefixes of numbers → whether SMS may go there; the longest decides. Empty: everywhere. */
  smsPrefixes: setting(
    'GREENROOM_SMS_COUNTRIES',
    dialPrefixes,
    'country codes, or longer prefixes, separated by commas; !1876 excludes one',
    {
      default: '',
      description:
        'Country codes that SMS may go to, such as 49,43,1; the longest prefix of a number decides, `!1876` excludes. Unset: all.',
    },
  ),
};
