import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnectionShares } from '../connection-shares.ts';
import { PoolTimeoutError } from '../pool.ts';
import { StatementLatency } from '../raw-batch/statement-latency.ts';
import { Admission } from './admission.ts';
import { combineReads } from './combine.ts';
import { PendingRead } from './pending-read.ts';
import type { Read } from './read.ts';
import { ReadQueue } from './read-queue.ts';

const TIMEOUT_MS = 100;
const HOLDER = { address: '203.0.113.7' };

function quick(): StatementLatency {
  const latency = new StatementLatency();
  for (let i = 0; i < 4; i++) latency.record(0.1);
  return latency;
}

function pending({ latency = quick(), ...read }: Partial<Read> = {}): PendingRead {
  const created = new PendingRead(
    { write: () => ({ statements: [] }), latency, ...read },
    performance.now() + TIMEOUT_MS,
  );
  created.promise.catch(() => {});
  return created;
}

const slow = (read: Partial<Read> = {}) => pending({ latency: new StatementLatency(), ...read });

function queueOf(reads: readonly PendingRead[]): ReadQueue {
  const queue = new ReadQueue(TIMEOUT_MS);
  for (const read of reads) queue.push(read);
  return queue;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('admission', () => {
  const onAdmitted = vi.fn();
  // One connection: one permit.
  const open = () => new Admission(createConnectionShares({ max: 1, timeoutMs: TIMEOUT_MS }), onAdmitted);

  beforeEach(() => {
    onAdmitted.mockClear();
  });

  it.for([
    ['a quick read of a client', pending({ holder: HOLDER })],
    ['a slow read without a client', slow()],
  ] as const)('admits %s without a permit', ([, read]) => {
    expect(open().admit(read)).toBe(true);
    expect(read.permit).toBeUndefined();
  });

  it('admits a slow read with a permit, and the next one once that is returned', async () => {
    const admission = open();
    const [first, second] = [slow({ holder: HOLDER }), slow({ holder: HOLDER })];
    expect(admission.admit(first)).toBe(true);
    expect(admission.admit(second)).toBe(false);
    first.takePermit()?.();
    await vi.waitFor(() => expect(onAdmitted).toHaveBeenCalledExactlyOnceWith(second));
    expect(second.isPermitted).toBe(true);
  });

  it('requires a permit of a quick read that must run alone', () => {
    const admission = open();
    const read = pending({ holder: HOLDER });
    read.mustRunAlone = true;
    expect(admission.admit(read)).toBe(true);
    expect(read.permit).toBeDefined();
  });

  it('rejects a read that waits too long or is aborted', async () => {
    const admission = open();
    const disconnect = new AbortController();
    const second = slow({ holder: HOLDER });
    const aborted = slow({ holder: HOLDER, signal: disconnect.signal });
    for (const read of [slow({ holder: HOLDER }), second, aborted]) admission.admit(read);
    disconnect.abort(new Error('gone'));
    await expect(aborted.promise).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    await expect(second.promise).rejects.toThrow(PoolTimeoutError);
    expect(onAdmitted).not.toHaveBeenCalled();
  });
});

describe('the queue', () => {
  it('returns reads in order, requeued ones first', () => {
    const [a, b, c] = [pending(), pending(), pending()];
    const queue = queueOf([a, b]);
    queue.unshift([c]);
    expect([queue.first, queue.length]).toEqual([c, 3]);
    expect([queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual([c, a, b, undefined]);
  });

  it('rejects an aborted read, and keeps the others', async () => {
    const disconnect = new AbortController();
    const aborted = pending({ signal: disconnect.signal });
    const other = pending();
    const queue = queueOf([aborted, other]);
    disconnect.abort(new Error('gone'));
    await expect(aborted.promise).rejects.toThrow('gone');
    expect([queue.first, queue.length]).toEqual([other, 1]);
  });

  it('rejects each read at its own deadline', async () => {
    const first = pending();
    const queue = queueOf([first]);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    const second = pending();
    queue.push(second);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await expect(first.promise).rejects.toThrow(PoolTimeoutError);
    expect(queue.first).toBe(second);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await expect(second.promise).rejects.toThrow(`no connection became available within ${TIMEOUT_MS} ms`);
    expect(queue.length).toBe(0);
  });
});

describe('reads in one batch', () => {
  it.for([
    { queued: 0, coming: 0, together: 1 },
    { queued: 5, coming: 0, together: 6 },
    { queued: 30, coming: 0, together: 12 },
    { queued: 5, coming: 1, together: 3 },
    { queued: 5, coming: 3, together: 2 },
    { queued: 5, coming: 9, together: 1 },
  ])('are $together if $queued are in the queue and $coming connections are requested', (row) => {
    const { queued, coming, together } = row;
    const queue = queueOf(Array.from({ length: queued }, () => pending()));
    expect(combineReads(pending(), queue, coming)).toHaveLength(together);
    expect(queue.length).toBe(queued + 1 - together);
  });

  it('are quick, and keep their order', () => {
    const [a, b, c, d] = [pending(), pending(), slow(), pending()];
    expect(combineReads(a, queueOf([b, c, d]), 0)).toEqual([a, b]);
    expect(combineReads(c, queueOf([d]), 0)).toEqual([c]);
  });

  it('exclude a read that must run alone', () => {
    const [a, b, c] = [pending(), pending(), pending()];
    b.mustRunAlone = true;
    expect(combineReads(a, queueOf([b, c]), 0)).toEqual([a]);
    expect(combineReads(b, queueOf([c]), 0)).toEqual([b]);
  });
});
