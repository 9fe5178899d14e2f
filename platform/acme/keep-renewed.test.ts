import { createLogger } from '@greenroom/log';
import type { ServerCertificate } from '@greenroom/tls';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { AcmeError } from './errors.ts';
import { keepRenewed, type Renewal, type RenewalOptions } from './keep-renewed.ts';

const log = createLogger('silent');
const domains = ['example.org'];
const valid = createTestCertificate({ hosts: domains });
let renewal: Renewal | undefined;

afterEach(() => renewal?.close());

/** Starts a renewal; `attempts` has the number of orders, and `outcomes` their outcomes. */
function start(initial: ServerCertificate, changes: Partial<RenewalOptions>) {
  const state = { attempts: 0, outcomes: [] as string[], current: initial };
  renewal = keepRenewed({
    domains,
    current: () => state.current.cert,
    use: async (certificate) => {
      state.current = certificate;
    },
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
});
