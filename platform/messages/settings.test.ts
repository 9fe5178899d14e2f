/** Settings of mail and SMS. */

import { type ConfigSource, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { messageSettings } from './settings.ts';

const MAIL = { GOTRUE_SMTP_HOST: 'mail.example.org', GOTRUE_SMTP_ADMIN_EMAIL: 'room@example.org' };
const TWILIO = {
  GOTRUE_SMS_PROVIDER: 'twilio',
  GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC1',
  GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'secret',
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'MG1',
};

it('settings require neither a mail server nor a provider', () => {
  expect(loadSettings(messageSettings, { GOTRUE_SMTP_USER: 'x', GOTRUE_SMS_VONAGE_FROM: 'x' })).toMatchObject(
    {
      smtp: undefined,
      sms: undefined,
    },
  );
});

it('settings contain those of mails', () => {
  expect(loadSettings(messageSettings, MAIL).smtp).toEqual({
    host: 'mail.example.org',
    port: 587,
    login: undefined,
    sender: { name: '', address: 'room@example.org' },
  });
  const all = {
    ...MAIL,
    GOTRUE_SMTP_PORT: '465',
    GOTRUE_SMTP_USER: 'ann',
    GOTRUE_SMTP_PASS: 'secret',
    GOTRUE_SMTP_SENDER_NAME: 'Room',
  };
  expect(loadSettings(messageSettings, all).smtp).toEqual({
    host: 'mail.example.org',
    port: 465,
    login: { user: 'ann', pass: 'secret' },
    sender: { name: 'Room', address: 'room@example.org' },
  });
});

it.each<[ConfigSource, SmsCase]>([
  [
    TWILIO,
    { provider: 'twilio', credentials: { accountSid: 'AC1', authToken: 'secret', messageServiceSid: 'MG1' } },
  ],
  [
    {
      GOTRUE_SMS_PROVIDER: 'twilio_verify',
      GOTRUE_SMS_TWILIO_VERIFY_ACCOUNT_SID: 'AC1',
      GOTRUE_SMS_TWILIO_VERIFY_AUTH_TOKEN: 'secret',
      GOTRUE_SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID: 'VA1',
    },
    {
      provider: 'twilio_verify',
      credentials: { accountSid: 'AC1', authToken: 'secret', messageServiceSid: 'VA1' },
    },
  ],
  [
    {
      GOTRUE_SMS_PROVIDER: 'vonage',
      GOTRUE_SMS_VONAGE_API_KEY: 'key',
      GOTRUE_SMS_VONAGE_API_SECRET: 'secret',
      GOTRUE_SMS_VONAGE_FROM: 'Room',
    },
    { provider: 'vonage', credentials: { apiKey: 'key', apiSecret: 'secret', from: 'Room' } },
  ],
  [
    {
      GOTRUE_SMS_PROVIDER: 'messagebird',
      GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY: 'secret',
      GOTRUE_SMS_MESSAGEBIRD_ORIGINATOR: 'Room',
    },
    { provider: 'messagebird', credentials: { accessKey: 'secret', originator: 'Room' } },
  ],
  [
    {
      GOTRUE_SMS_PROVIDER: 'textlocal',
      GOTRUE_SMS_TEXTLOCAL_API_KEY: 'secret',
      GOTRUE_SMS_TEXTLOCAL_SENDER: 'Room',
    },
    { provider: 'textlocal', credentials: { apiKey: 'secret', sender: 'Room' } },
  ],
])('settings contain those of SMS: %j', (source, sms) => {
  expect(loadSettings(messageSettings, source).sms).toEqual({ ...sms, url: undefined });
  const url = 'http://127.0.0.1:1/';
  expect(loadSettings(messageSettings, { ...source, GREENROOM_SMS_PROVIDER_URL: url }).sms?.url).toBe(
    'http://127.0.0.1:1',
  );
});

it('settings contain the template of messages by WhatsApp', () => {
  const source = { ...TWILIO, GOTRUE_SMS_TWILIO_CONTENT_SID: 'HX1' };
  expect(loadSettings(messageSettings, source).sms?.credentials).toMatchObject({ contentSid: 'HX1' });
});

interface SmsCase {
  provider: string;
  credentials: Record<string, string>;
}

describe('invalid settings', () => {
  it.each<[ConfigSource, string[]]>([
    [
      { GOTRUE_SMTP_HOST: 'mail.example.org' },
      ['GOTRUE_SMTP_ADMIN_EMAIL="" is not allowed. Allowed: an email address (GOTRUE_SMTP_HOST is set)'],
    ],
    [
      { ...MAIL, GOTRUE_SMTP_ADMIN_EMAIL: 'room' },
      ['GOTRUE_SMTP_ADMIN_EMAIL="room" is not allowed. Allowed: an email address'],
    ],
    [
      { ...MAIL, GOTRUE_SMTP_ADMIN_EMAIL: 'room@example.org\r\nBcc: eve@example.org' },
      ['GOTRUE_SMTP_ADMIN_EMAIL='],
    ],
    [
      { ...MAIL, GOTRUE_SMTP_USER: 'ann' },
      ['GOTRUE_SMTP_PASS="" is not allowed. Allowed: a password (GOTRUE_SMTP_USER is set)'],
    ],
    [
      { ...MAIL, GOTRUE_SMTP_PASS: 'hunter2' },
      ['GOTRUE_SMTP_USER="" is not allowed. Allowed: a name (GOTRUE_SMTP_PASS is set)'],
    ],
    [
      { GOTRUE_SMS_PROVIDER: 'twilio', GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC1' },
      [
        'GOTRUE_SMS_TWILIO_AUTH_TOKEN="" is not allowed. Allowed: a token (GOTRUE_SMS_PROVIDER is twilio)',
        'GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID="" is not allowed.',
      ],
    ],
    [
      { GOTRUE_SMS_PROVIDER: 'twilio_verify' },
      ['GOTRUE_SMS_TWILIO_VERIFY_ACCOUNT_SID="" is not allowed.', '(GOTRUE_SMS_PROVIDER is twilio_verify)'],
    ],
    [{ GOTRUE_SMS_PROVIDER: 'pigeon' }, ['Allowed: twilio, twilio_verify, vonage, messagebird, textlocal']],
    [{ ...TWILIO, GREENROOM_SMS_PROVIDER_URL: 'pigeon' }, ['GREENROOM_SMS_PROVIDER_URL="pigeon"']],
  ])('prevent the start: %j', (source, messages) => {
    for (const message of messages) expect(() => loadSettings(messageSettings, source)).toThrow(message);
    expect(() => loadSettings(messageSettings, source)).not.toThrow('hunter2');
  });
});
