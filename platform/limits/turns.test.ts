import { beforeEach, describe, expect, it } from 'vitest';
import { createTurns, type Turns } from './turns.ts';

let turns: Turns;
let planned: (() => void)[];
let started: string[];
beforeEach(() => {
  planned = [];
  started = [];
  turns = createTurns({ maxPerTurn: 4, maxWaitingPerClient: 1000, nextTurn: (run) => planned.push(run) });
});

const enter = (client: string, count = 1) =>
  Array.from({ length: count }, () => turns.enter(client, () => started.push(client)));
/** Runs the next turn of the event loop; returns the clients whose requests started in it, in order. */
const nextTurn = () => {
  started = [];
  for (const run of planned.splice(0)) run();
  return started.join('');
};

describe('createTurns', () => {
  it('starts the first requests of a turn at once', () => {
    enter('a', 4);
    enter('b', 2);
    expect(started.join('')).toBe('aaaabb');
  });

  it('starts further requests of a client in later turns, four in each', () => {
    enter('a', 10);
    expect(started.join('')).toBe('aaaa');
    expect(nextTurn()).toBe('aaaa');
    expect(nextTurn()).toBe('aa');
    expect(nextTurn()).toBe('');
  });

  it('starts a request of another client before those that wait', () => {
    enter('a', 100);
    enter('b');
    expect(started.join('')).toBe('aaaab');
    nextTurn();
    enter('b');
    expect(started.join('')).toBe('aaaab');
  });

  it('keeps the order of the requests of one client', () => {
    const order: number[] = [];
    for (let index = 0; index < 9; index += 1) turns.enter('a', () => order.push(index));
    nextTurn();
    turns.enter('a', () => order.push(9));
    nextTurn();
    nextTurn();
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('serves all clients that wait in each turn', () => {
    enter('a', 10);
    enter('b', 10);
    expect(nextTurn()).toBe('aaaabbbb');
  });

  it('rejects requests of a client of which a thousand wait', () => {
    expect(enter('a', 1004)).not.toContain(false);
    expect(enter('a')).toEqual([false]);
    expect(enter('b')).toEqual([true]);
  });

  it('plans no turn once nothing waits', () => {
    enter('a');
    nextTurn();
    expect(planned).toEqual([]);
  });
});
