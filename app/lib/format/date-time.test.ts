import { describe, expect, it } from 'vitest';
import { formatDateTime } from './date-time.ts';

describe('formatDateTime', () => {
  it('contains the given zone', () => {
    const text = formatDateTime(new Date('2026-03-04T05:06:07Z'), { locale: 'en-GB', timeZone: 'UTC' });
    expect(text).toBe('4 Mar 2026, 05:06 UTC');
  });

  it('omits the zone of the device', () => {
    expect(formatDateTime(new Date('2026-03-04T05:06:07Z'), { locale: 'en-GB' })).toMatch(
      /^\d Mar 2026, \d\d:\d\d$/,
    );
  });
});
