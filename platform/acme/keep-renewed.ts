/** Obtains a certificate when none exists, and renews it in the last third of its lifetime. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@greenroom/log';
import { parseCertificate, type ServerCertificate } from '@greenroom/tls';
import { AcmeError } from './errors.ts';

/** A certificate is renewed when this part of its lifetime remains. */
const RENEWAL_PART = 1 / 3;
/** A clock that was adjusted is noticed within this time. */
const MAX_SLEEP_MS = 3_600_000;
/** Five attempts in the first hour stay within the limit of Let's Encrypt for failed checks. */
const FIRST_RETRY_MS = 120_000;
const MAX_RETRY_MS = 6 * 3_600_000;

/** Options of {@link keepRenewed}. */
export interface RenewalOptions {
  domains: readonly string[];
  /** Returns the certificate in use, in PEM. */
  current: () => string;
  /** Obtains a new certificate. */
  obtain: (signal: AbortSignal) => Promise<ServerCertificate>;
  /** Stores a new certificate and puts it into use. */
  use: (certificate: ServerCertificate) => Promise<void>;
  /** Called after each attempt. */
  onAttempt: (outcome: 'success' | 'failure') => void;
  log: Logger;
  /** Pause after the first failure; doubles with each further failure. Default: two minutes. */
  firstRetryMs?: number;
}

/** A running renewal. */
export interface Renewal {
  /** Retries at once after a failure. */
  wake(): void;
  /** Ends the renewal, and an order in progress. */
  close(): Promise<void>;
}

/**
 * Renews a certificate until it is closed. After a failure, the certificate in use remains, the log has the reason, and
 * the pauses between attempts grow.
 */
export function keepRenewed(options: RenewalOptions): Renewal {
  const { domains, current } = options;
  const closing = new AbortController();
  let waking = new AbortController();
  let failures = 0;
  let retryAt: number | undefined;

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const waitMs = (retryAt ?? renewalTime(current(), domains)) - Date.now();
      if (waitMs <= 0) await attempt();
      else await sleepUntilWoken(Math.min(waitMs, MAX_SLEEP_MS));
    }
  }

  async function attempt(): Promise<void> {
    const { obtain, use, onAttempt, log } = options;
    try {
      const certificate = await obtain(closing.signal);
      await use(certificate);
      pauseIfDue(certificate);
      log.info({ domains, expires: expiryOf(certificate.cert) }, 'a certificate has been obtained');
      onAttempt('success');
    } catch (error) {
      if (closing.signal.aborted) return;
      failures += 1;
      const delayMs = retryDelay(failures, error, options.firstRetryMs);
      retryAt = Date.now() + delayMs;
      logFailure(log, error, {
        domains,
        expires: expiryOf(current()),
        retryInSeconds: Math.round(delayMs / 1000),
      });
      onAttempt('failure');
    }
  }

  /** With a wrong clock, each new certificate is due at once: orders need pauses then, as after failures. */
  function pauseIfDue({ cert }: ServerCertificate): void {
    const isDue = renewalTime(cert, domains) <= Date.now();
    failures = isDue ? failures + 1 : 0;
    retryAt = isDue ? Date.now() + retryDelay(failures, undefined, options.firstRetryMs) : undefined;
    if (isDue)
      options.log.warn({ domains }, 'the new certificate is due for renewal: the clock may be wrong');
  }

  async function sleepUntilWoken(ms: number): Promise<void> {
    waking = new AbortController();
    const signal = AbortSignal.any([closing.signal, waking.signal]);
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  const finished = run();
  return {
    wake() {
      if (retryAt !== undefined) retryAt = Date.now();
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

/** Doubles with each failure, and is at least the time that the authority demands. */
function retryDelay(failures: number, error: unknown, firstMs = FIRST_RETRY_MS): number {
  const demanded = error instanceof AcmeError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(demanded, Math.min(firstMs * 2 ** (failures - 1), MAX_RETRY_MS));
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
