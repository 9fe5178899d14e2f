/** Decides after an attempt of a webhook whether it is repeated, and when. */
import type { Outcome } from './request.ts';

/** The end of an attempt that was made. */
export type MadeAttempt = Exclude<Outcome, { kind: 'not-sent' }>;

/** The state of a delivery after an attempt. */
export type NextStep =
  | { state: 'delivered' }
  | { state: 'waiting'; pauseMs: number; reason: string }
  | { state: 'failed'; reason: string };

/** Client errors that a later attempt can change: a timeout of the server, and a rate limit. */
const TRANSIENT_STATUSES = new Set([408, 429]);
/** Spreads the attempts of requests that failed at the same time. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Returns the next step.
 * @param attempts number of attempts before this one
 * @param pausesMs pauses after the first, second… attempt
 * @param random from 0 to 1
 */
export function nextStep(
  outcome: MadeAttempt,
  { attempts, pausesMs, random }: { attempts: number; pausesMs: readonly number[]; random: number },
): NextStep {
  const status = outcome.kind === 'response' ? (outcome.response.status_code ?? 0) : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' };
  const reason = outcome.kind === 'response' ? `The endpoint responded with ${status}` : outcome.message;
  const pauseMs = pausesMs[attempts];
  if (pauseMs === undefined || !isTransient(outcome, status)) return { state: 'failed', reason };
  const spreadMs = Math.round(pauseMs * (1 + JITTER * random));
  return { state: 'waiting', pauseMs: Math.max(spreadMs, retryAfterMs(outcome)), reason };
}

function isTransient(outcome: MadeAttempt, status: number | undefined): boolean {
  if (outcome.kind === 'timeout') return true;
  if (outcome.kind === 'error') return outcome.isInvalidRequest !== true;
  return status !== undefined && (status >= 500 || TRANSIENT_STATUSES.has(status));
}

/** Returns the pause that the header Retry-After requests (RFC 9110 §10.2.3), within a limit; 0 without one. */
function retryAfterMs(outcome: MadeAttempt): number {
  if (outcome.kind !== 'response') return 0;
  const [, value = ''] =
    Object.entries(outcome.response.headers ?? {}).find(([name]) => name.toLowerCase() === 'retry-after') ??
    [];
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0;
}
