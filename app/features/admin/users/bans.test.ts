import { describe, expect, it } from 'vitest';
import { BAN_DURATIONS, parseBanDuration } from './bans.ts';

describe('parseBanDuration', () => {
  it.each([...BAN_DURATIONS, '36h'])('accepts %s', (duration) => {
    expect(parseBanDuration(duration)).toBe(duration);
  });

  it.each(['', 'none', '0h', '-1h', '1d', '1.5h', '9999999h'])('rejects %j', (duration) => {
    expect(parseBanDuration(duration)).toBeUndefined();
  });
});
