import { beforeEach, expect, it } from 'vitest';
import { createReadLimits, type ReadLimits } from './read-limits.ts';

let limits: ReadLimits;
let started: string[];
let finish: (() => void)[];
beforeEach(() => {
  started = [];
  finish = [];
  limits = createReadLimits();
});

const read = (name: string, keys = [name]) =>
  limits.forClient(keys)?.(
    () =>
      new Promise<void>((resolve) => {
        started.push(name);
        finish.push(resolve);
      }),
  );
const readMany = (client: string, count: number) => {
  for (let index = 0; index < count; index += 1) void read(client);
};
/** Finishes all running reads; returns the clients whose reads started afterwards, in order. */
const finishAll = async () => {
  started = [];
  for (const end of finish.splice(0)) end();
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise(setImmediate);
  return started.join('');
};

it('runs two concurrent reads of a client', async () => {
  readMany('a', 5);
  expect(await new Promise(setImmediate).then(() => started.join(''))).toBe('aa');
  expect(await finishAll()).toBe('aa');
  expect(await finishAll()).toBe('a');
  expect(await finishAll()).toBe('');
});

it('starts a read of another client while reads of the first wait', async () => {
  readMany('a', 100);
  readMany('b', 3);
  expect(await new Promise(setImmediate).then(() => started.join(''))).toBe('aabb');
  expect((await finishAll()).split('').sort().join('')).toBe('aab');
});

it('starts the next read in a later iteration of the event loop', async () => {
  readMany('a', 2);
  const third = read('a');
  await Promise.resolve();
  started = [];
  for (const end of finish.splice(0)) end();
  for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
  expect(started).toEqual([]);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(started).toEqual(['a']);
  await finishAll();
  await third;
});

it('continues after a read that failed', async () => {
  const limiter = limits.forClient(['a']);
  const failed = () => Promise.reject(new Error('gone'));
  const reads = [limiter?.(failed), limiter?.(failed), limiter?.(async () => 'read')];
  expect(await Promise.allSettled(reads)).toMatchObject([
    { reason: new Error('gone') },
    { reason: new Error('gone') },
    { value: 'read' },
  ]);
});

it('counts all networks of an address as one client', async () => {
  for (const network of ['1', '2', '3']) void read(network, [network, 'wide']);
  expect(await new Promise(setImmediate).then(() => started.join(''))).toBe('12');
});

it('does not limit a client that is not counted', () => {
  expect(limits.forClient([])).toBeUndefined();
});
