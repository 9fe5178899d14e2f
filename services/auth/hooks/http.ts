/** Calls hooks over HTTP: one POST, with retries if the receiver asks for them or cannot be reached. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders, signingKey } from '@greenroom/keys';
import { failure } from '../errors.ts';
import type { HttpTarget } from '../settings/hooks.ts';
import { tooSlow } from './hook-failure.ts';
import { readResponse } from './http-response.ts';
import type { HookTransport } from './transport.ts';

/** GoTrue's values. The timeout applies to all tries together. */
const TIMEOUT_SECONDS = 5;
const ATTEMPTS = 3;
const PAUSE_MS = 2000;

/** Statuses that are retried if the response has a header Retry-After. */
const RETRYABLE = new Set([429, 503]);

/** Creates the transport of an HTTP endpoint. */
export function httpTransport({ url, keys }: HttpTarget): HookTransport {
  const secrets = keys.map(signingKey);
  return {
    async send(body) {
      const deadline = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
      // All tries have the same id, so that the receiver can deduplicate them.
      const id = randomUUID();
      try {
        const response = await withRetries(deadline, () =>
          fetch(url, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'accept-encoding': 'identity',
              ...signedHeaders(body, { id, at: new Date(), keys: secrets }),
            },
            body,
            redirect: 'manual',
            signal: deadline,
          }),
        );
        return await readResponse(response);
      } catch (error) {
        throw deadline.aborted ? tooSlow(TIMEOUT_SECONDS) : error;
      }
    },
  };
}

async function withRetries(deadline: AbortSignal, post: () => Promise<Response>): Promise<Response> {
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    const response = await post().catch((cause: unknown) => {
      if (left > 0) return undefined;
      const message = 'Failed to reach hook after maximum retries';
      throw failure('hook_timeout_after_retry', { message, cause });
    });
    const shouldRetry = response === undefined || (RETRYABLE.has(response.status) && hasRetryAfter(response));
    if (response !== undefined && (left === 0 || !shouldRetry)) return response;
    await response?.body?.cancel();
    await sleep(PAUSE_MS, undefined, { signal: deadline });
  }
}

function hasRetryAfter({ headers }: Response): boolean {
  return Boolean(headers.get('retry-after'));
}
