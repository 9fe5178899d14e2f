import { beforeEach, describe, expect, it } from 'vitest';
import { createFairScheduler, type FairScheduler } from './fair-scheduler.ts';

let scheduler: FairScheduler;
let planned: (() => void)[];
let started: string[];
beforeEach(() => {
  planned = [];
  started = [];
  scheduler = createFairScheduler({
    maxPerIteration: 4,
    maxWaitingPerClient: 1000,
    nextIteration: (run) => planned.push(run),
  });
});

const schedule = (client: string, count = 1) =>
  Array.from({ length: count }, () => scheduler.schedule(client, () => started.push(client)));
/** Runs the next iteration of the event loop; returns the clients whose requests started in it, in order. */
const nextIteration = () => {
  started = [];
  for (const run of planned.splice(0)) run();
  return started.join('');
};

describe('createFairScheduler', () => {
  it('starts the first requests of an iteration immediately', () => {
    schedule('a', 4);
    schedule('b', 2);
    expect(started.join('')).toBe('aaaabb');
  });

  it('starts further requests of a client in later iterations, four in each', () => {
    schedule('a', 10);
    expect(started.join('')).toBe('aaaa');
    expect(nextIteration()).toBe('aaaa');
    expect(nextIteration()).toBe('aa');
    expect(nextIteration()).toBe('');
  });

  it('starts a request of another client before those that wait', () => {
    schedule('a', 100);
    schedule('b');
    expect(started.join('')).toBe('aaaab');
    nextIteration();
    schedule('b');
    expect(started.join('')).toBe('aaaab');
  });

  it('keeps the order of the requests of one client', () => {
    const order: number[] = [];
    for (let index = 0; index < 9; index += 1) scheduler.schedule('a', () => order.push(index));
    nextIteration();
    scheduler.schedule('a', () => order.push(9));
    nextIteration();
    nextIteration();
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('serves all clients that wait in each iteration', () => {
    schedule('a', 10);
    schedule('b', 10);
    expect(nextIteration()).toBe('aaaabbbb');
  });

  it('rejects requests of a client with a thousand waiting requests', () => {
    expect(schedule('a', 1004)).not.toContain(false);
    expect(schedule('a')).toEqual([false]);
    expect(schedule('b')).toEqual([true]);
  });

  it('schedules no iteration if no request waits', () => {
    schedule('a');
    nextIteration();
    expect(planned).toEqual([]);
  });
});
