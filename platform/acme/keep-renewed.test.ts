import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as afterMicrotasks } from 'node:timers/promises';
import { createLogger } from '@greenroom/log';
import type { ServerCertificate } from '@greenroom/tls';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AcmeError } from './errors.ts';
import { keepRenewed, type Renewal, type RenewalOptions } from './keep-renewed.ts';
import { openOrderAttempts } from './order-attempts.ts';

const log = createLogger('silent');
const domains = ['example.org'];
const valid = createTestCertificate({ hosts: domains });
const due = createTestCertificate();
const lasting = createTestCertificate({ hosts: domains, validMs: 1e8 });
let renewal: Renewal | undefined;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-renewal-'));
});
beforeEach(() => openOrderAttempts(folder).clear());
afterEach(() => renewal?.close());
afterAll(() => rm(folder, { recursive: true }));

const path = () => join(folder, 'failed-orders.json');
const recorded = async () => JSON.parse(await readFile(path(), 'utf8').catch(() => 'null'));

/** Starts a renewal; `attempts` has the number of orders, and `outcomes` their outcomes. */
function start(initial: ServerCertificate, changes: Partial<RenewalOptions>) {
  const state = { attempts: 0, outcomes: [] as string[], current: initial };
  renewal = keepRenewed({
    domains,
    current: () => state.current.cert,
    use: (certificate) => {
      state.current = certificate;
    },
    store: () => Promise.resolve(),
    attempts: openOrderAttempts(folder),
    onAttempt: (outcome) => state.outcomes.push(outcome),
    log,
    ...changes,
    obtain: (signal) => {
      state.attempts += 1;
      return changes.obtain?.(signal) ?? Promise.resolve(valid);
    },
  });
  return state;
}

/** Wakes the renewal, and returns the state. */
function afterWaking<State>(state: State): State {
  renewal?.wake();
  return state;
}

describe('keepRenewed', () => {
  it.each([
    ['names are missing', createTestCertificate({ hosts: ['localhost'] })],
    // The first two hours of its lifetime have passed.
    ['less than a third of the lifetime remains', createTestCertificate({ hosts: domains, validMs: 60_000 })],
    ['it has expired', createTestCertificate({ hosts: domains, validMs: -60_000 })],
  ])('obtains a certificate if %s', async (_, certificate) => {
    const state = start(certificate, {
      obtain: async () => createTestCertificate({ hosts: domains, validMs: 1e8 }),
    });
    await expect.poll(() => state.outcomes).toEqual(['success']);
    expect(state.attempts).toBe(1);
  });

  it('obtains no certificate while more than a third of the lifetime remains', async () => {
    const state = start(createTestCertificate({ hosts: domains, validMs: 1e8 }), {});
    renewal?.wake();
    await renewal?.close();
    expect(state.attempts).toBe(0);
  });

  it('retries until an order succeeds', async () => {
    const obtained = createTestCertificate({ hosts: domains, validMs: 1e8 });
    let failures = 3;
    const obtain = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('unreachable');
      return obtained;
    };
    const state = start(createTestCertificate(), { obtain, firstRetryMs: 1 });
    await expect.poll(() => state.outcomes).toEqual(['failure', 'failure', 'failure', 'success']);
    expect(state.current).toBe(obtained);
  });

  it('waits as long as the authority demands, unless it is woken', async () => {
    const obtain = () => Promise.reject(new AcmeError('too many orders', { retryAfterMs: 3_600_000 }));
    const state = start(createTestCertificate(), { obtain, firstRetryMs: 1 });
    await expect.poll(() => state.outcomes.length).toBe(1);
    renewal?.wake();
    await expect.poll(() => state.outcomes.length).toBe(2);
    await renewal?.close();
    expect(state.attempts).toBe(2);
  });

  it('pauses after a new certificate that is due for renewal at once', async () => {
    const obtain = async () => createTestCertificate({ hosts: domains, validMs: 60_000 });
    const state = start(createTestCertificate(), { obtain, firstRetryMs: 3_600_000 });
    await expect.poll(() => state.outcomes).toEqual(['success']);
    await renewal?.close();
    expect(state.attempts).toBe(1);
  });

  it('ends an order in progress when it is closed', async () => {
    const obtain = (signal: AbortSignal) =>
      new Promise<ServerCertificate>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const state = start(createTestCertificate(), { obtain });
    await expect.poll(() => state.attempts).toBe(1);
    await renewal?.close();
    expect(state.outcomes).toEqual([]);
  });

  describe('with failures of an earlier process', () => {
    const fails = { obtain: () => Promise.reject(new Error('unreachable')) };
    /** Ends a process after a number of failures; woken, so that no pause passes. */
    async function failTimes(count: number, error = new Error('unreachable')) {
      const state = start(due, { obtain: () => Promise.reject(error) });
      for (let failed = 1; failed <= count; failed += 1) {
        await expect.poll(() => state.outcomes.length).toBe(failed);
        if (failed < count) renewal?.wake();
      }
      await renewal?.close();
    }

    /** Starts a renewal and ends it once it has begun its pause, or its order. */
    async function startPaused() {
      const read = Promise.withResolvers<void>();
      const attempts = openOrderAttempts(folder);
      const state = start(due, {
        ...fails,
        attempts: { ...attempts, read: () => attempts.read().finally(read.resolve) },
      });
      await read.promise;
      await afterMicrotasks();
      await renewal?.close();
      return state;
    }

    it('tries at once after one failure, and then continues the pauses', async () => {
      await failTimes(1);
      const second = start(due, fails);
      await expect.poll(() => second.outcomes).toEqual(['failure']);
      await renewal?.close();
      expect(await recorded()).toMatchObject({ domains, count: 2, pauseMs: 240_000 });
      expect(await startPaused()).toMatchObject({ attempts: 0, outcomes: [] });
      expect(await recorded()).toMatchObject({ count: 2 });
    });

    it('waits as long as the authority has demanded, and tries at once when it is woken', async () => {
      await failTimes(1, new AcmeError('too many orders', { retryAfterMs: 3_600_000 }));
      expect(await startPaused()).toMatchObject({ attempts: 0, outcomes: [] });
      expect(await recorded()).toMatchObject({ count: 1, pauseMs: 3_600_000 });
      const woken = start(due, { obtain: async () => lasting });
      await expect.poll(() => afterWaking(woken).outcomes).toEqual(['success']);
      expect(await recorded()).toBeNull();
    });

    it('counts an order during which the process is killed', async () => {
      let seen: unknown;
      const obtain = async () => {
        seen ??= await recorded();
        return lasting;
      };
      await failTimes(2);
      const state = start(due, { obtain });
      await expect.poll(() => afterWaking(state).outcomes).toEqual(['success']);
      expect(seen).toMatchObject({ count: 3, pauseMs: 480_000 });
    });

    it.each([
      ['the names have changed', { domains: ['other.example.org'], count: 5, at: Date.now(), pauseMs: 1e9 }],
      ['the pause has ended', { domains, count: 5, at: Date.now() - 1e9, pauseMs: 1e8 }],
      ['its file is damaged', { domains, count: 'many' }],
    ])('tries at once if %s', async (_, content) => {
      await writeFile(path(), JSON.stringify(content));
      const state = start(due, { obtain: async () => lasting });
      await expect.poll(() => state.outcomes).toEqual(['success']);
    });

    it('limits a pause whose beginning is in the future, because the clock was wrong', async () => {
      await writeFile(path(), JSON.stringify({ domains, count: 5, at: Date.now() + 1e9, pauseMs: 1 }));
      const state = start(due, { obtain: async () => lasting });
      await expect.poll(() => state.outcomes).toEqual(['success']);
    });
  });

  it('makes no order if it cannot be counted', async () => {
    const attempts = { ...openOrderAttempts(folder), store: () => Promise.reject(new Error('disk full')) };
    const state = start(due, { attempts });
    await expect.poll(() => state.outcomes).toEqual(['failure']);
    expect(state.attempts).toBe(0);
  });

  it('stores a certificate again that could not be stored, and counts its order until then', async () => {
    let isFull = true;
    let stored = 0;
    const store = async () => {
      if (isFull) throw new Error('disk full');
      stored += 1;
    };
    const state = start(due, { obtain: async () => lasting, store });
    await expect.poll(() => state.outcomes).toEqual(['success']);
    expect([state.current, await recorded()]).toMatchObject([lasting, { count: 1 }]);
    isFull = false;
    await expect.poll(() => afterWaking({ stored }).stored).toBe(1);
    await renewal?.close();
    expect([state.attempts, await recorded()]).toEqual([1, null]);
  });
});
