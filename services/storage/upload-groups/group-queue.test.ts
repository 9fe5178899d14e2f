import { describe, expect, it, vi } from 'vitest';
import { currentClient, runForClient } from '../fair-database.ts';
import { GroupQueue } from './group-queue.ts';

/** A queue whose groups run until the test ends them. */
function openQueue(maxItems = 3) {
  const started: string[][] = [];
  const ends: { resolve(results: string[]): void; reject(error: Error): void }[] = [];
  const queue = new GroupQueue<string, string>({
    maxItems,
    keyOf: (item) => item.charAt(0),
    runGroup(items) {
      started.push([...items]);
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      ends.push({ resolve, reject });
      return promise;
    },
  });
  /** Ends the oldest group and waits until the next one has started. */
  const end = async () => {
    const group = started[started.length - ends.length] ?? [];
    ends.shift()?.resolve(group.map((item) => `result of ${item}`));
    await turn();
  };
  const fail = async (error: Error) => {
    ends.shift()?.reject(error);
    await turn();
  };
  return { queue, started, end, fail };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('GroupQueue', () => {
  it('runs the items of one turn of the event loop as a group', async () => {
    const { queue, started, end } = openQueue();
    const results = Promise.all([queue.run('a'), queue.run('b')]);
    expect(started).toEqual([]);
    await turn();
    expect(started).toEqual([['a', 'b']]);
    await end();
    expect(await results).toEqual(['result of a', 'result of b']);
  });

  it('runs the items that arrive during a group as the next one', async () => {
    const { queue, started, end } = openQueue();
    const first = queue.run('a');
    await turn();
    const others = Promise.all([queue.run('b'), queue.run('c')]);
    await turn();
    expect(started).toEqual([['a']]);
    await end();
    expect(await first).toBe('result of a');
    expect(started).toEqual([['a'], ['b', 'c']]);
    await end();
    expect(await others).toEqual(['result of b', 'result of c']);
  });

  it('starts again after it was idle', async () => {
    const { queue, started, end } = openQueue();
    void queue.run('a');
    await turn();
    await end();
    void queue.run('b');
    await turn();
    expect(started).toEqual([['a'], ['b']]);
    await end();
  });

  it('waits for more items after a group of several', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { queue, started, end } = openQueue();
      for (const item of ['a', 'b']) void queue.run(item);
      await turn();
      await end();
      void queue.run('c');
      await turn();
      void queue.run('d');
      expect(started).toEqual([['a', 'b']]);
      await vi.advanceTimersByTimeAsync(1);
      expect(started.at(-1)).toEqual(['c', 'd']);
      await end();
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not wait after a group of one item', async () => {
    const { queue, started, end } = openQueue();
    for (const item of ['a', 'b']) {
      void queue.run(item);
      await turn();
      expect(started.at(-1)).toEqual([item]);
      await end();
    }
  });

  it('leaves the items above the maximum to the next group', async () => {
    const { queue, started, end } = openQueue(2);
    for (const item of ['a', 'b', 'c']) void queue.run(item);
    await turn();
    expect(started).toEqual([['a', 'b']]);
    await end();
    expect(started.at(-1)).toEqual(['c']);
    await end();
  });

  it('never runs two items of the same key in one group, and keeps their order', async () => {
    const { queue, started, end } = openQueue();
    for (const item of ['a1', 'a2', 'b', 'a3']) void queue.run(item);
    await turn();
    expect(started).toEqual([['a1', 'b']]);
    await end();
    await end();
    await end();
    expect(started).toEqual([['a1', 'b'], ['a2'], ['a3']]);
  });

  it('rejects all items of a group that rejects, and runs the next group', async () => {
    const { queue, started, end, fail } = openQueue();
    const failed = Promise.allSettled([queue.run('a'), queue.run('b')]);
    await turn();
    const next = queue.run('c');
    await fail(new Error('broken'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(started.at(-1)).toEqual(['c']);
    await end();
    expect(await next).toBe('result of c');
  });

  it('runs the next group beside one that stalls', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { queue, started, end } = openQueue();
      const stalled = queue.run('a');
      await turn();
      void queue.run('b');
      await vi.advanceTimersByTimeAsync(249);
      expect(started).toEqual([['a']]);
      await vi.advanceTimersByTimeAsync(1);
      expect(started).toEqual([['a'], ['b']]);
      await end();
      expect(await stalled).toBe('result of a');
    } finally {
      vi.useRealTimers();
    }
  });

  it('counts groups for none of their clients', async () => {
    const clients: (readonly string[])[] = [];
    const queue = new GroupQueue<string, string>({
      maxItems: 2,
      keyOf: (item) => item,
      async runGroup(items) {
        clients.push(currentClient());
        return items;
      },
    });
    const runAs = (client: string) =>
      new Promise((resolve) => runForClient([client], () => resolve(queue.run(client))));
    await Promise.all(['ada', 'bob', 'cy'].map(runAs));
    expect(clients).toEqual([[], []]);
  });
});
