import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue, QueueFullError, type Release } from './fair-queue.ts';

const OPTIONS = { max: 2, maxPerClient: 2, maxWaiting: 100, maxWaitingPerClient: 50 };

/** Records the order in which requests get a permit, and releases each immediately. */
async function orderOf(clients: readonly string[], options = OPTIONS): Promise<string[]> {
  const queue = createFairQueue(options);
  const releases = await Promise.all(Array.from({ length: options.max }, () => queue.acquire([])));
  const order: string[] = [];
  const all = clients.map((client) => queue.run([client], async () => void order.push(client)));
  for (const release of releases) release();
  await Promise.all(all);
  return order;
}

describe('createFairQueue', () => {
  it('serves clients that wait in turns', async () => {
    const order = await orderOf(['a', 'a', 'a', 'a', 'b', 'c']);
    expect(order.slice(0, 3).sort()).toEqual(['a', 'b', 'c']);
    expect(order.slice(3)).toEqual(['a', 'a', 'a']);
  });

  it('keeps the order of one client', async () => {
    const queue = createFairQueue({ ...OPTIONS, max: 1 });
    const order: number[] = [];
    await Promise.all([0, 1, 2, 3].map((n) => queue.run(['a'], async () => void order.push(n))));
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('leaves permits to others if one client holds its share', async () => {
    const queue = createFairQueue({ ...OPTIONS, maxPerClient: 1 });
    await queue.acquire(['a']);
    expect(queue.tryAcquire(['a'])).toBeUndefined();
    expect(queue.tryAcquire(['b'])).toBeDefined();
  });

  it('counts a client under each of its keys', async () => {
    const queue = createFairQueue({ ...OPTIONS, maxPerClient: 1 });
    await queue.acquire(['64', '56']);
    expect(queue.tryAcquire(['other 64', '56'])).toBeUndefined();
  });

  it('rejects a request if too many of its client wait, and accepts those of others', async () => {
    const queue = createFairQueue({ max: 1, maxPerClient: 1, maxWaiting: 10, maxWaitingPerClient: 1 });
    const release = await queue.acquire(['a']);
    const waits = queue.acquire(['a']);
    await expect(queue.acquire(['a'])).rejects.toBeInstanceOf(QueueFullError);
    const other = queue.acquire(['b']);
    expect(queue.waiting).toBe(2);
    release();
    (await waits)();
    (await other)();
    expect([queue.active, queue.waiting]).toEqual([0, 0]);
  });

  it('rejects a request if too many wait in total', async () => {
    const queue = createFairQueue({ max: 1, maxPerClient: 1, maxWaiting: 1, maxWaitingPerClient: 1 });
    await queue.acquire(['a']);
    void queue.acquire(['b']);
    await expect(queue.acquire(['c'])).rejects.toBeInstanceOf(QueueFullError);
  });

  it('applies only the totals to requests without keys', async () => {
    const queue = createFairQueue({ ...OPTIONS, maxPerClient: 1, maxWaitingPerClient: 0 });
    await queue.acquire([]);
    const release = await queue.acquire([]);
    const third = queue.acquire([]);
    release();
    await expect(third).resolves.toBeDefined();
  });

  it('rejects a request that is aborted while it waits, and frees its place', async () => {
    const queue = createFairQueue({ ...OPTIONS, max: 1, maxWaiting: 1 });
    const release = await queue.acquire(['a']);
    const giving = new AbortController();
    const waits = queue.acquire(['b'], giving.signal);
    giving.abort(new Error('given up'));
    await expect(waits).rejects.toThrow('given up');
    await expect(queue.acquire(['c'], giving.signal)).rejects.toThrow('given up');
    expect(queue.waiting).toBe(0);
    release();
    expect(queue.active).toBe(0);
  });

  it('releases a permit once, even if release is called several times', async () => {
    const queue = createFairQueue(OPTIONS);
    const release = await queue.acquire(['a']);
    await queue.acquire(['a']);
    release();
    release();
    expect(queue.active).toBe(1);
  });

  it('never exceeds its limits, and serves each request that it accepted', async () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('acquire' as const), client: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('release' as const), at: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
        const queue = createFairQueue({ max: 3, maxPerClient: 2, maxWaiting: 6, maxWaitingPerClient: 3 });
        const releases: { client: string; release: Release }[] = [];
        const pending = new Set<Promise<void>>();
        const settle = () => new Promise((resolve) => setImmediate(resolve));
        for (const each of events) {
          if (each.kind === 'release') releases.splice(each.at, 1)[0]?.release();
          else {
            const { client } = each;
            const acquired = queue.acquire([client]).then(
              (release) => void releases.push({ client, release }),
              () => undefined,
            );
            pending.add(acquired);
          }
          await settle();
          expect(releases.length).toBe(queue.active);
          expect(queue.active).toBeLessThanOrEqual(3);
          for (const client of ['a', 'b', 'c']) {
            expect(releases.filter((one) => one.client === client).length).toBeLessThanOrEqual(2);
          }
        }
        while (releases.length > 0) {
          releases.pop()?.release();
          await settle();
        }
        await Promise.all(pending);
        expect([queue.active, queue.waiting]).toEqual([0, 0]);
      }),
    );
  });
});
