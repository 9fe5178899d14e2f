import { describe, expect, it } from 'vitest';
import { formatMoment } from './format-moment.ts';

describe('formatMoment', () => {
  it('contains the given zone', () => {
    const text = formatMoment(new Date('2026-03-04T05:06:07Z'), { locale: 'en-GB', timeZone: 'UTC' });
    expect(text).toBe('4 Mar 2026, 05:06 UTC');
  });

  it('omits the zone of the device', () => {
    expect(formatMoment(new Date('2026-03-04T05:06:07Z'), { locale: 'en-GB' })).toMatch(
      /^\d Mar 2026, \d\d:\d\d$/,
    );
  });
});
