import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pace } from './pace.ts';

const MEGABYTE = 1_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts to pass as many parts; returns how many have passed. */
function passParts(pace: Pace, parts: number, bytes: number): () => number {
  let passed = 0;
  void (async () => {
    for (let part = 0; part < parts; part++) {
      await pace.pass(bytes);
      passed++;
    }
  })();
  return () => passed;
}

it('lets bytes pass at its rate', async () => {
  const passed = passParts(new Pace(10 * MEGABYTE), 100, MEGABYTE);
  await vi.advanceTimersByTimeAsync(1000);
  expect(passed()).toBe(10);
  await vi.advanceTimersByTimeAsync(2000);
  expect(passed()).toBe(30);
});

it('adds up pauses of small parts', async () => {
  const passed = passParts(new Pace(10 * MEGABYTE), 1_000_000, 1000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(passed()).toBeGreaterThan(9_700);
  expect(passed()).toBeLessThan(10_300);
});

it('has no limit after it was lifted', async () => {
  const pace = new Pace(MEGABYTE);
  const passed = passParts(pace, 100, 3600 * MEGABYTE);
  await vi.advanceTimersByTimeAsync(1000);
  expect(passed()).toBe(0);
  pace.lift();
  await vi.advanceTimersByTimeAsync(0);
  expect(passed()).toBe(100);
});

it('does not catch up on time in which nothing passed', async () => {
  const pace = new Pace(10 * MEGABYTE);
  await vi.advanceTimersByTimeAsync(60_000);
  const passed = passParts(pace, 100, MEGABYTE);
  await vi.advanceTimersByTimeAsync(1000);
  expect(passed()).toBe(10);
});
