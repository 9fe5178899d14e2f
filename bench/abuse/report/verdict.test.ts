import { describe, expect, it } from 'vitest';
import type { Latency } from './latency.ts';
import { allowedP99Ms, type Measured, type Missed, missedGoals, verdictOf } from './verdict.ts';

const latency = (p99Ms: number, failed: Partial<Latency> = {}): Latency => ({
  count: 10,
  p50Ms: 1,
  p99Ms,
  errors: 0,
  reasons: [],
  ...failed,
});

const passing: Measured = {
  attacked: { data: latency(20) },
  baseline: { data: latency(10) },
  attackerCores: 0,
  stallMs: 50,
  goals: [{ name: 'mails', value: 30, max: 30 }],
  incidents: [],
};

const none: Missed = { faults: [], delays: [] };

describe('allowedP99Ms', () => {
  it.each([
    ['the floor for short quiet latencies', 4, 0, 25],
    ['five times the quiet value', 20, 0.2, 100],
    ['ten times the quiet value if the attacker competes', 20, 0.25, 200],
    ['the floor without a quiet value', 0, 0.5, 25],
  ])('is %s', (_, quiet, attackerCores, allowed) => {
    expect(allowedP99Ms(quiet, attackerCores)).toBe(allowed);
  });
});

describe('missedGoals', () => {
  it('are none if every goal is met', () => {
    expect(missedGoals(passing)).toEqual(none);
  });

  it.each<[string, Partial<Measured>, Partial<Missed>]>([
    [
      'failed operations of other clients',
      { attacked: { data: latency(20, { errors: 2, reasons: ['504 ×2'] }) } },
      { faults: ['data: 2 of 10 failed (504 ×2)'] },
    ],
    ['a slow p99', { attacked: { data: latency(51) } }, { delays: ['data: p99 51 ms, allowed 50'] }],
    ['a stalled event loop', { stallMs: 50.9 }, { delays: ['event loop stalled 51 ms, allowed 50'] }],
    [
      'a goal of the attack',
      { goals: [{ name: 'mails', value: 31, max: 30 }] },
      { faults: ['mails: 31, allowed 30'] },
    ],
    [
      'the end of the server',
      { incidents: ['the server ended: SIGABRT'] },
      { faults: ['the server ended: SIGABRT'] },
    ],
  ])('contain %s', (_, change, expected) => {
    expect(missedGoals({ ...passing, ...change })).toEqual({ ...none, ...expected });
  });

  it('do not contain twice the latency of a CPU-heavy attack', () => {
    expect(missedGoals({ ...passing, attackerCores: 0.5, attacked: { data: latency(100) } })).toEqual(none);
  });
});

describe('verdictOf', () => {
  const slow = { ...none, delays: ['data: p99 51 ms, allowed 50'] };
  const broken = { ...none, faults: ['the server ended: SIGABRT'] };
  it.each<[string, Missed[], string]>([
    ['held, if the first window has no delay', [none], 'held'],
    ['open, after one window with a delay', [slow], 'again'],
    ['open, after one window of each kind', [slow, none], 'again'],
    ['held, if two of three windows have no delay', [slow, none, none], 'held'],
    ['failed, if two windows have delays', [slow, slow], 'FAILED'],
    ['failed, if two of three windows have delays', [slow, none, slow], 'FAILED'],
    ['failed at once, if operations fail', [broken], 'FAILED'],
    ['failed, if operations fail in a repeated window', [slow, broken], 'FAILED'],
  ])('is %s', (_, windows, verdict) => {
    expect(verdictOf(windows)).toBe(verdict);
  });
});
