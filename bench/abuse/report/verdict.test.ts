import { describe, expect, it } from 'vitest';
import type { Latency } from './latency.ts';
import { allowedP99Ms, type Measured, missedGoals } from './verdict.ts';

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
  it('is empty if every goal is met', () => {
    expect(missedGoals(passing)).toEqual([]);
  });

  it.each<[string, Partial<Measured>, string[]]>([
    [
      'failed operations of other clients',
      { attacked: { data: latency(20, { errors: 2, reasons: ['504 ×2'] }) } },
      ['data: 2 of 10 failed (504 ×2)'],
    ],
    ['a slow p99', { attacked: { data: latency(51) } }, ['data: p99 51 ms, allowed 50']],
    ['a stalled event loop', { stallMs: 50.9 }, ['event loop stalled 51 ms, allowed 50']],
    ['a goal of the attack', { goals: [{ name: 'mails', value: 31, max: 30 }] }, ['mails: 31, allowed 30']],
    ['the end of the server', { incidents: ['the server ended: SIGABRT'] }, ['the server ended: SIGABRT']],
  ])('reports %s', (_, change, expected) => {
    expect(missedGoals({ ...passing, ...change })).toEqual(expected);
  });

  it('accepts twice the latency of a CPU-heavy attack', () => {
    expect(missedGoals({ ...passing, attackerCores: 0.5, attacked: { data: latency(100) } })).toEqual([]);
  });
});
