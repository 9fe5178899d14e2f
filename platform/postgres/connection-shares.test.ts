import { QueueFullError } from '@greenroom/limits';
import { describe, expect, it } from 'vitest';
import { createConnectionShares, type ShareHolder } from './connection-shares.ts';
import { PoolTimeoutError } from './pool.ts';

const shares = (max: number) => createConnectionShares({ max, timeoutMs: 10_000 });
const ADDRESS = '203.0.113.7';
const account = (name: string, address = ADDRESS): ShareHolder => ({ account: name, address });

/** Returns the number of permits that a holder gets immediately. */
function countOf(max: number, holder: (n: number) => ShareHolder): number {
  const all = shares(max);
  let count = 0;
  while (count < 100 && all.tryAcquire(holder(count)) !== undefined) count += 1;
  return count;
}

describe('connection shares', () => {
  it.each([
    ['one account', account('a'), 2],
    ['one address', { address: ADDRESS }, 2],
    ['one IPv6 address', { address: '2001:db8::1' }, 2],
  ])('permit %s to use a quarter of ten connections', (_, holder, count) => {
    expect(countOf(10, () => holder)).toBe(count);
  });

  it('permit one IPv6 /48 to use a quarter, with any of its addresses', () => {
    expect(countOf(10, (n) => ({ address: `2001:db8:1:${n}::1` }))).toBe(2);
  });

  it('permit all accounts of one address to use three quarters', () => {
    expect(countOf(10, (n) => account(`${n}`))).toBe(7);
  });

  it('reserve connections for quick reads', () => {
    expect(countOf(10, (n) => ({ address: `203.0.113.${n}` }))).toBe(8);
    expect(countOf(10, () => ({ address: '' }))).toBe(8);
  });

  it.each([1, 2, 3, 4])('permit statements with only %i connections', (max) => {
    expect(countOf(max, () => account('a'))).toBe(1);
  });

  it('pass a released permit to a waiting client', async () => {
    const all = shares(1);
    const release = all.tryAcquire(account('a'));
    const waits = all.acquire(account('b'));
    expect(all.tryAcquire(account('c'))).toBeUndefined();
    release?.();
    (await waits)();
    expect(all.tryAcquire(account('c'))).toBeDefined();
  });

  it('serve clients in turns', async () => {
    const all = shares(1);
    const release = all.tryAcquire({ address: '' });
    const served: string[] = [];
    const acquire = async (address: string) => {
      const done = await all.acquire({ address });
      served.push(address);
      done();
    };
    const acquisitions = ['1.1.1.1', '1.1.1.1', '1.1.1.1', '2.2.2.2'].map(acquire);
    await new Promise((resolve) => setImmediate(resolve));
    release?.();
    await Promise.all(acquisitions);
    expect(served.indexOf('2.2.2.2')).toBeLessThan(2);
  });

  it('reject a client with too many waiting statements, and no other', async () => {
    const all = shares(1);
    all.tryAcquire({ address: '' });
    // One statement waits for the connection, and the others wait behind it.
    const results = Array.from({ length: 202 }, () => all.acquire({ address: ADDRESS }));
    results.push(all.acquire({ address: '198.51.100.1' }));
    const refused: unknown[] = [];
    for (const result of results) result.catch((error: unknown) => refused.push(error));
    await new Promise((resolve) => setImmediate(resolve));
    expect(refused).toEqual([expect.any(QueueFullError)]);
  });

  it('reject after the timeout', async () => {
    const all = createConnectionShares({ max: 1, timeoutMs: 20 });
    all.tryAcquire({ address: ADDRESS });
    await expect(all.acquire({ address: ADDRESS })).rejects.toBeInstanceOf(PoolTimeoutError);
  });

  it('reject with the reason of a signal, and free the place', async () => {
    const all = shares(1);
    const release = all.tryAcquire({ address: ADDRESS });
    const signal = { aborted: false, reason: new Error('gone'), onabort: null as (() => void) | null };
    const waits = all.acquire({ address: ADDRESS }, signal);
    signal.aborted = true;
    signal.onabort?.();
    await expect(waits).rejects.toThrow('gone');
    release?.();
    expect(all.tryAcquire({ address: ADDRESS })).toBeDefined();
  });
});
