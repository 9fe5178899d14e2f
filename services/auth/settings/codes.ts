/** Settings of one-time codes in mails and SMS, and of the messages that have them. */
import {
  booleanSetting,
  durationSetting,
  integerSetting,
  pairsText,
  rateSetting,
  setting,
  textSetting,
  thousands,
} from '@greenroom/config';
import { z } from 'zod';
import { smsTemplateText } from './sms-template.ts';

const MAX_LIFETIME_SECONDS = 10 * 24 * 3600;

/** Settings per channel. */
export const codeTree = {
  email: {
    digits: integerSetting('GOTRUE_MAILER_OTP_LENGTH', 6, 10, {
      default: '6',
      configKey: 'auth.email.otp_length',
      description: 'Number of digits of codes in mails.',
    }),
    lifetimeMs: integerSetting('GOTRUE_MAILER_OTP_EXP', 1, MAX_LIFETIME_SECONDS, {
      default: '3600',
      configKey: 'auth.email.otp_expiry',
      description: 'Lifetime of codes and links in mails, in seconds.',
    }).map(thousands),
    /** Minimum time between two messages of a kind to one recipient. */
    spacingMs: durationSetting('GOTRUE_SMTP_MAX_FREQUENCY', {
      default: '1m',
      configKey: { key: 'auth.email.max_frequency', default: '1s' },
      description: 'Minimum time between two mails of a kind to one address.',
    }),
    /** Total number of messages that are sent in an hour. */
    perHour: rateSetting('GOTRUE_RATE_LIMIT_EMAIL_SENT', {
      default: '30',
      configKey: {
        key: 'auth.rate_limit.email_sent',
        default: 2,
        requires: 'auth.email.smtp.enabled',
        requiresTableOnly: true,
      },
      description: 'Maximum number of mails that this process sends per hour. 0: none.',
    }),
    /** Maximum number for one client. */
    perClientHour: rateSetting('GREENROOM_RATE_LIMIT_EMAIL_PER_CLIENT', {
      default: '10',
      description: 'Maximum number of mails that one client address or account may request per hour.',
    }),
    /** Maximum number for one recipient. */
    perRecipientHour: rateSetting('GREENROOM_RATE_LIMIT_EMAIL_PER_RECIPIENT', {
      default: '10',
      description: 'Maximum number of mails to one address per hour.',
    }),
  },
  phone: {
    digits: integerSetting('GOTRUE_SMS_OTP_LENGTH', 6, 10, {
      default: '6',
      configKey: 'auth.sms.otp_length',
      description: 'Number of digits of codes in SMS.',
    }),
    lifetimeMs: integerSetting('GOTRUE_SMS_OTP_EXP', 1, MAX_LIFETIME_SECONDS, {
      default: '60',
      configKey: 'auth.sms.otp_expiry',
      description: 'Lifetime of codes in SMS, in seconds.',
    }).map(thousands),
    /** Minimum time between two messages of a kind to one recipient. */
    spacingMs: durationSetting('GOTRUE_SMS_MAX_FREQUENCY', {
      default: '1m',
      configKey: { key: 'auth.sms.max_frequency', default: '5s' },
      description: 'Minimum time between two SMS of a kind to one number.',
    }),
    /** Total number of messages that are sent in an hour. */
    perHour: rateSetting('GOTRUE_RATE_LIMIT_SMS_SENT', {
      default: '30',
      configKey: 'auth.rate_limit.sms_sent',
      description: 'Maximum number of SMS that this process sends per hour. 0: none.',
    }),
    /** Maximum number for one client. */
    perClientHour: rateSetting('GREENROOM_RATE_LIMIT_SMS_PER_CLIENT', {
      default: '10',
      description: 'Maximum number of SMS that one client address or account may request per hour.',
    }),
    /** Maximum number for one recipient. */
    perRecipientHour: rateSetting('GREENROOM_RATE_LIMIT_SMS_PER_RECIPIENT', {
      default: '5',
      description: 'Maximum number of SMS to one number per hour.',
    }),
  },
};

const TEST_CODE = /^\+?(\d{2,15})=(\d{4,10})$/;

/** `15550100=123456,15550101=654321`: phone numbers as digits, and their codes. */
const testCodes = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(z.string().regex(TEST_CODE)))
  .transform((pairs): ReadonlyMap<string, string> => {
    return new Map(pairs.map((text) => TEST_CODE.exec(text)?.slice(1) as [string, string]));
  });

/** `49,1,!1876`: E.164 prefixes that are allowed or, after `!`, excluded. */
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
  smsTemplate: textSetting('GOTRUE_SMS_TEMPLATE', 'a text that contains {{ .Code }}', {
    default: 'Your code is {{ .Code }}',
    configKey: { key: 'auth.sms.template', toText: smsTemplateText },
    description: 'Text of an SMS.',
  }),
  /** Whether SMS are kept in the mailbox if no provider is configured. */
  keepsSms: booleanSetting('GREENROOM_SMS_MAILBOX', {
    default: 'true',
    description:
      'Whether SMS are kept in the database if no provider is configured. If false, requests to send them are rejected.',
  }),
  /** Number as digits → code. Not accepted after `testCodesUntil`. */
  testCodes: setting(
    'GOTRUE_SMS_TEST_OTP',
    testCodes,
    'pairs of phone number and code, e.g. 15550100=123456',
    {
      default: undefined,
      configKey: { key: 'auth.sms.test_otp', members: 'any', toText: pairsText },
      description: 'Phone numbers that get no SMS and always have the same code, for tests and reviewers.',
    },
  ),
  testCodesUntil: setting('GOTRUE_SMS_TEST_OTP_VALID_UNTIL', instant, 'a time such as 2027-01-31T00:00:00Z', {
    default: undefined,
    description: 'Time until which the codes of GOTRUE_SMS_TEST_OTP are accepted. Unset: for ever.',
  }),
  /** Prefix of numbers → whether SMS may be sent there. The longest prefix decides; an empty map allows all. */
  smsPrefixes: setting(
    'GREENROOM_SMS_COUNTRIES',
    dialPrefixes,
    'country codes or longer prefixes, separated by commas; !1876 excludes a prefix',
    {
      default: '',
      description:
        'Country codes to which SMS may be sent, e.g. 49,43,1. The longest prefix of a number decides; `!1876` excludes a prefix. Unset: all.',
    },
  ),
};
