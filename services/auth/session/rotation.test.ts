import { describe, expect, it } from 'vitest';
import { planRotation } from './rotation.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

/** The family old → spent → current. */
const child = { parent: 'spent' };
const interval = { reuseIntervalMs: 10_000 };
const none = { reuseIntervalMs: 0 };

describe('planRotation', () => {
  it.each([
    ['an active token', { hash: 'current', revoked: false, changedAt: ago(0) }, child, interval, 'rotate'],
    [
      'an active token of any age',
      { hash: 'current', revoked: false, changedAt: ago(1e6) },
      child,
      none,
      'rotate',
    ],
    [
      'the parent of the active token',
      { hash: 'spent', revoked: true, changedAt: ago(0) },
      child,
      interval,
      'repeat',
    ],
    [
      'the parent of the active token at any time',
      { hash: 'spent', revoked: true, changedAt: ago(1e6) },
      child,
      none,
      'repeat',
    ],
    [
      'an older token in the interval',
      { hash: 'old', revoked: true, changedAt: ago(9) },
      child,
      interval,
      'branch',
    ],
    [
      'an older token at the end of the interval',
      { hash: 'old', revoked: true, changedAt: ago(10) },
      child,
      interval,
      'branch',
    ],
    [
      'an older token after the interval',
      { hash: 'old', revoked: true, changedAt: ago(10.001) },
      child,
      interval,
      'refuse',
    ],
    [
      'an older token without an interval',
      { hash: 'old', revoked: true, changedAt: ago(1) },
      child,
      none,
      'refuse',
    ],
    [
      'a token of a revoked family',
      { hash: 'spent', revoked: true, changedAt: ago(11) },
      undefined,
      interval,
      'refuse',
    ],
    [
      'a token of a revoked family within the interval',
      { hash: 'spent', revoked: true, changedAt: ago(0) },
      undefined,
      interval,
      'refuse',
    ],
  ] as const)('decides for %s: $4', (_, token, active, settings, expected) => {
    expect(planRotation(token, active, settings, NOW)).toBe(expected);
  });
});
