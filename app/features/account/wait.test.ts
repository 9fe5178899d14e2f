import { expect, it } from 'vitest';
import { waitAfter } from './wait.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');

it.each([
  ['2026-01-01T00:01:00Z', 60],
  ['2026-01-01T00:00:30.5Z', 31],
  ['2026-01-01T00:00:00Z', 0],
  ['2025-01-01T00:00:00Z', 0],
  // A backend whose clock is ahead.
  ['2026-01-01T01:00:00Z', 60],
  ['soon', 0],
  [undefined, 0],
])('waits after a message sent %s: %i seconds', (sentAt, seconds) => {
  expect(waitAfter(sentAt, NOW).seconds).toBe(seconds);
});

it('changes the attempt with each message', () => {
  expect(waitAfter('2026-01-01T00:01:00Z', NOW).attempt).not.toBe(
    waitAfter('2026-01-01T00:00:59Z', NOW).attempt,
  );
});
