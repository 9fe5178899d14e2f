import { describe, expect, it } from 'vitest';
import { parsePhone } from './phone-number.ts';

describe('parsePhone', () => {
  it.each([
    ['+1 555 010 0000', '15550100000'],
    ['15550100000', '15550100000'],
    ['+123456789012345', '123456789012345'],
    ['12', '12'],
  ])('keeps the digits of %s', (text, phone) => {
    expect(parsePhone(text)).toBe(phone);
  });

  it.each(['', '+', '1', '0123456', '+0123', '1234567890123456', '555-0100', '++1555', '1555x', '١٢٣٤'])(
    'rejects %j',
    (text) => {
      const message = 'Invalid phone number format (E.164 required)';
      expect(() => parsePhone(text)).toThrow(expect.objectContaining({ code: 'validation_failed', message }));
    },
  );
});
