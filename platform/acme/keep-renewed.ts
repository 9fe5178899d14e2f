/** Obtains a certificate when none exists, and renews it in the last third of its lifetime. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@greenroom/log';
import { parseCertificate, type ServerCertificate } from '@greenroom/tls';
import { AcmeError } from './errors.ts';
import type { OrderAttempts } from './order-attempts.ts';
import { createOrderPauses } from './order-pauses.ts';

/** A certificate is renewed when this part of its lifetime remains. */
const RENEWAL_PART = 1 / 3;
/** A clock that was adjusted is noticed within this time. */
const MAX_SLEEP_MS = 3_600_000;

/** Options of {@link keepRenewed}. */
export interface RenewalOptions {
  domains: readonly string[];
  /** Returns the certificate in use, in PEM. */
  current: () => string;
  /** Obtains a new certificate. */
  obtain: (signal: AbortSignal) => Promise<ServerCertificate>;
  /** Puts a new certificate into use. */
  use: (certificate: ServerCertificate) => void;
  /** Stores the certificate in use. After a failure, it is called again within an hour, or when the renewal is woken. */
  store: (certificate: ServerCertificate) => Promise<void>;
  /** Counts orders without success. */
  attempts: OrderAttempts;
  /** Called after each attempt. */
  onAttempt: (outcome: 'success' | 'failure') => void;
  log: Logger;
  /** Pause after the first failure; doubles with each further failure. Default: two minutes. */
  firstRetryMs?: number;
}

/** A running renewal. */
export interface Renewal {
  /** Retries a failed order, or a failed write of the certificate, at once. */
  wake(): void;
  /** Ends the renewal, and an order in progress. */
  close(): Promise<void>;
}

/**
 * Renews a certificate until it is closed. After a failure, the certificate in use remains, the log has the reason, and
 * the pauses between attempts grow, also across restarts.
 */
export function keepRenewed(options: RenewalOptions): Renewal {
  const { domains, current, log } = options;
  const closing = new AbortController();
  let waking = new AbortController();
  const pauses = createOrderPauses(options);
  let unstored: ServerCertificate | undefined;

  async function run(): Promise<void> {
    await resume();
    while (!closing.signal.aborted) {
      const waitMs = Math.max(pauses.retryAt() ?? 0, renewalTime(current(), domains)) - Date.now();
      if (waitMs <= 0) {
        await attempt();
        continue;
      }
      await sleepUntilWoken(Math.min(waitMs, MAX_SLEEP_MS));
      if (unstored !== undefined) await store(unstored);
    }
  }

  async function resume(): Promise<void> {
    const failures = await pauses.resume().catch(() => undefined);
    const retryInSeconds = Math.round(((pauses.retryAt() ?? 0) - Date.now()) / 1000);
    if (failures !== undefined)
      log.warn({ domains, failures, retryInSeconds }, 'orders of a certificate failed before this start');
  }

  async function attempt(): Promise<void> {
    const { obtain, use, onAttempt } = options;
    try {
      await pauses.begin();
      const certificate = await obtain(closing.signal);
      use(certificate);
      await pauseIfDue(certificate);
      await store(certificate);
      log.info({ domains, expires: expiryOf(certificate.cert) }, 'a certificate has been obtained');
      onAttempt('success');
    } catch (error) {
      if (closing.signal.aborted) return;
      const delayMs = await pauses.fail(error);
      logFailure(log, error, {
        domains,
        expires: expiryOf(current()),
        retryInSeconds: Math.round(delayMs / 1000),
      });
      onAttempt('failure');
    }
  }

  /** With a wrong clock, each new certificate is due at once: orders need pauses then, as after failures. */
  async function pauseIfDue({ cert }: ServerCertificate): Promise<void> {
    if (renewalTime(cert, domains) > Date.now()) return pauses.end();
    await pauses.fail(undefined);
    log.warn({ domains }, 'the new certificate is due for renewal: the clock may be wrong');
  }

  /** Never rejects. Failures are forgotten here, because a start without a stored certificate orders another one. */
  async function store(certificate: ServerCertificate): Promise<void> {
    unstored = certificate;
    try {
      await options.store(certificate);
      unstored = undefined;
      if (pauses.retryAt() === undefined) await pauses.forget();
    } catch (error) {
      log.error({ err: error }, 'the certificate in use could not be stored');
    }
  }

  async function sleepUntilWoken(ms: number): Promise<void> {
    waking = new AbortController();
    const signal = AbortSignal.any([closing.signal, waking.signal]);
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  const finished = run();
  return {
    wake() {
      pauses.skip();
      waking.abort();
    },
    async close() {
      closing.abort(new Error('the server stops'));
      await finished;
    },
  };
}

/** Returns the time at which a certificate must be replaced, in milliseconds; 0 if it lacks one of the names. */
function renewalTime(pem: string, domains: readonly string[]): number {
  const certificate = parseCertificate(pem);
  if (certificate === undefined || !domains.every((domain) => certificate.checkHost(domain))) return 0;
  const end = certificate.validToDate.getTime();
  return end - (end - certificate.validFromDate.getTime()) * RENEWAL_PART;
}

/** A failed order has a reason that operators can act upon; the stack matters for other errors only. */
function logFailure(log: Logger, error: unknown, details: object): void {
  const text = 'no certificate was obtained; the one in use remains';
  if (error instanceof AcmeError) log.error({ ...details, reason: error.message }, text);
  else log.error({ ...details, err: error }, text);
}

function expiryOf(pem: string): string | undefined {
  return parseCertificate(pem)?.validToDate.toISOString();
}
