import { describe, expect, it } from 'vitest';
import { findCode, toMessagePage, toOpenMessage } from './messages.ts';

const MAIL = {
  id: 'a',
  channel: 'mail',
  kind: 'recovery',
  recipient: 'ann@example.org',
  subject: 'Hello',
  status: 'kept',
  attempts: 0,
  created_at: '2030-01-01T00:00:00.000Z',
  sent_at: null,
  last_error: null,
};
const ROW = {
  id: 'a',
  channel: 'mail',
  kind: 'recovery',
  recipient: 'ann@example.org',
  subject: 'Hello',
  status: 'kept',
  createdAt: 1_893_456_000,
  attempts: 0,
  lastError: '',
  nextAttemptAt: null,
};

describe('toMessagePage', () => {
  it.each([
    [[MAIL], 1, 1, { rows: [ROW], page: 1, lastPage: 1, total: 1 }],
    [[MAIL], 2, 60, { rows: [ROW], page: 2, lastPage: 3, total: 60 }],
    [[MAIL], 2, 0, { rows: [ROW], page: 2, lastPage: 2, total: 26 }],
    [[], 1, 0, { rows: [], page: 1, lastPage: 1, total: 0 }],
    [{}, 1, 0, { rows: [], page: 1, lastPage: 1, total: 0 }],
    [
      [null, 1, { id: 'x' }, { ...MAIL, channel: 'pigeon' }],
      1,
      0,
      { rows: [], page: 1, lastPage: 1, total: 0 },
    ],
  ])('converts %j on page %i with the total %i', (response, page, total, expected) => {
    expect(toMessagePage(response, page, total)).toEqual(expected);
  });
});

describe('toOpenMessage', () => {
  it('converts all fields', () => {
    const complete = { ...MAIL, status: 'sent', sent_at: MAIL.created_at, attempts: 2, last_error: 'slow' };
    const response = { ...complete, text: 'Hi\n123456\n', html: '<p>', link: 'https://room.example/x' };
    expect(toOpenMessage(response)).toEqual({
      ...ROW,
      status: 'sent',
      attempts: 2,
      sentAt: ROW.createdAt,
      lastError: 'slow',
      text: 'Hi\n123456\n',
      hasHtml: true,
      link: 'https://room.example/x',
      code: '123456',
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', '', null])(
    'ignores the link %j',
    (link) => {
      expect(toOpenMessage({ ...MAIL, link })?.link).toBe('');
    },
  );

  it.each([null, undefined, 'x', {}, []])('returns undefined for %j', (response) => {
    expect(toOpenMessage(response)).toBeUndefined();
  });
});

describe('findCode', () => {
  it.each([
    ['mail', 'Hello\n\n12345678\n\nBye', '12345678'],
    ['mail', 'Your order 123456 is here', ''],
    ['mail', 'https://room.example/verify?token=123456', ''],
    ['mail', '12345', ''],
    ['mail', '12345678901', ''],
    ['sms', 'Your code is 123456', '123456'],
    ['sms', '123456 is your code.', '123456'],
    ['sms', 'Call +15550100100. Code: 654321.', '654321'],
    ['sms', 'ann123456@example.org asks: 222222', '222222'],
    ['sms', 'https://a.example/999999 code 111111', '111111'],
    ['whatsapp', 'Ihr Code: 1234567', '1234567'],
    ['sms', 'Hello', ''],
  ] as const)('finds in %s %j: %j', (channel, text, code) => {
    expect(findCode(text, channel)).toBe(code);
  });
});
