import { beforeEach, expect, it } from 'vitest';
import { createReadTurns, type ReadTurns } from './read-turns.ts';

let turns: ReadTurns;
let planned: (() => void)[];
let started: string[];
beforeEach(() => {
  planned = [];
  started = [];
  turns = createReadTurns({ nextTurn: (run) => planned.push(run) });
});

const read = (client: string, count: number) => {
  for (let index = 0; index < count; index += 1) turns.of([client])?.(() => started.push(client));
};
/** Runs the next turn of the event loop; returns the clients whose reads started in it, in order. */
const nextTurn = () => {
  started = [];
  for (const run of planned.splice(0)) run();
  return started.join('');
};

it('starts two reads of a client in each turn', () => {
  read('a', 5);
  expect(started.join('')).toBe('aa');
  expect(nextTurn()).toBe('aa');
  expect(nextTurn()).toBe('a');
  expect(nextTurn()).toBe('');
  read('a', 1);
  expect(started.join('')).toBe('a');
});

it('starts a read of another client while reads of the first wait', () => {
  read('a', 100);
  read('b', 3);
  expect(started.join('')).toBe('aabb');
  expect(nextTurn()).toBe('aab');
});

it('counts all networks of an address as one client', () => {
  for (const network of ['1', '2', '3']) turns.of([network, 'wide'])?.(() => started.push(network));
  expect(started.join('')).toBe('12');
});

it('has no turns for a client that is not counted', () => {
  expect(turns.of([])).toBeUndefined();
});
