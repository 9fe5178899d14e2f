import { describe, expect, it } from 'vitest';
import { type MadeAttempt, nextStep } from './next-step.ts';

const PAUSES_MS = [1000, 60_000];
const none = { content_type: null, content: null, timed_out: false, error_msg: null };
const response = (status: number, headers: Record<string, string> = {}): MadeAttempt => ({
  kind: 'response',
  response: { ...none, status_code: status, headers },
});
const stepAfter = (outcome: MadeAttempt, { attempts = 0, random = 0 } = {}) =>
  nextStep(outcome, { attempts, pausesMs: PAUSES_MS, random });

describe('nextStep', () => {
  it.each([200, 202, 204, 299])('delivers with status %i', (status) => {
    expect(stepAfter(response(status))).toEqual({ state: 'delivered' });
  });

  it.each<[string, MadeAttempt]>([
    ['status 408', response(408)],
    ['status 429', response(429)],
    ['status 500', response(500)],
    ['status 503', response(503)],
    ['a timeout', { kind: 'timeout', message: 'late' }],
    ['a lost connection', { kind: 'error', message: 'lost' }],
  ])('repeats after %s', (_, outcome) => {
    expect(stepAfter(outcome)).toMatchObject({ state: 'waiting', pauseMs: 1000 });
  });

  it.each<[string, MadeAttempt, string]>([
    ['status 304', response(304), 'The endpoint responded with 304'],
    ['status 404', response(404), 'The endpoint responded with 404'],
    ['a refused address', { kind: 'refused', message: 'private' }, 'private'],
    ['an invalid request', { kind: 'error', message: 'large', isInvalidRequest: true }, 'large'],
  ])('fails after %s', (_, outcome, reason) => {
    expect(stepAfter(outcome)).toEqual({ state: 'failed', reason });
  });

  it('takes the pause of the attempt, extended by up to a fifth, and fails after the last one', () => {
    expect(stepAfter(response(500), { attempts: 1 })).toMatchObject({ pauseMs: 60_000 });
    expect(stepAfter(response(500), { attempts: 1, random: 1 })).toMatchObject({ pauseMs: 72_000 });
    expect(stepAfter(response(500), { attempts: 2 })).toMatchObject({ state: 'failed' });
  });

  it.each([
    ['120', 120_000],
    ['0', 1000],
    ['99999999', 24 * 3_600_000],
    ['not a time', 1000],
    [new Date(0).toUTCString(), 1000],
  ])('with Retry-After %s waits %i ms', (value, pauseMs) => {
    expect(stepAfter(response(429, { 'Retry-After': value }))).toMatchObject({ pauseMs });
  });

  it('waits until the date of Retry-After', () => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const step = stepAfter(response(503, { 'retry-after': date }));
    expect(step).toMatchObject({ state: 'waiting', pauseMs: expect.any(Number) });
    expect(step.state === 'waiting' && step.pauseMs).toBeGreaterThan(500_000);
  });
});
