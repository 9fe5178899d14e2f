/** Replacements of a function while its process starts. */
import { expect, it } from 'vitest';
import { createCapacity } from './capacity.ts';
import { FunctionWorkers } from './function-workers.ts';
import type { Worker } from './worker.ts';

/** A process that is ready when the test says so. */
function createProcess() {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let state: 'starting' | 'serving' | 'ended' = 'starting';
  const worker = {
    ready: started.promise,
    ended: ended.promise,
    isIdle: true,
    get isStarting() {
      return state === 'starting';
    },
    get acceptsRequests() {
      return state !== 'ended';
    },
    begin: () => () => {},
    retire() {
      state = 'ended';
      ended.resolve();
    },
  };
  const finishStart = () => {
    state = 'serving';
    started.resolve();
  };
  return { worker: worker as unknown as Worker, finishStart, hasEnded: () => state === 'ended' };
}

it('a process that was replaced while it started takes no request, and ends', async () => {
  const processes = [createProcess(), createProcess()];
  const [former, latter] = processes;
  const starts = processes.values();
  const workers = new FunctionWorkers({
    start: async () => starts.next().value?.worker as Worker,
    capacity: createCapacity(5),
    idleMs: 60_000,
  });
  const lease = workers.acquire();
  await expect.poll(() => workers.size).toBe(1);
  workers.replace();
  expect(former?.hasEnded()).toBe(false);
  former?.finishStart();
  latter?.finishStart();
  expect((await lease).worker).toBe(latter?.worker);
  expect([former?.hasEnded(), latter?.hasEnded()]).toEqual([true, false]);
  await workers.close();
});
