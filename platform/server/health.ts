/** `/health`: is every part ready? */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A part that does not answer within this time is not ready. */
const CHECK_PATIENCE_MS = 2000;

/** A part's check: resolves when it is ready, rejects when it is not. */
export type HealthChecks = Record<string, () => Promise<unknown>>;

/** Registers `/health`: 200 `{status: "ok", parts}` or 503 `{status: "unavailable", parts}` naming the part. */
export function registerHealth(server: FastifyInstance, checks: HealthChecks): void {
  const stateOfAll = shared(async () => {
    const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const);
    return Object.fromEntries(await Promise.all(states));
  });
  server.get('/health', async (_request, reply) => {
    const parts = await stateOfAll();
    const ready = Object.values(parts).every((state) => state === 'ok');
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'unavailable', parts });
  });
}

/** Runs `work` once for all who wait for it, so that many requests of one client do not fill the connection pools. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** The state of one part, told in time. */
export async function stateOf(check: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  const patience = new AbortController();
  try {
    const late = sleep(CHECK_PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
      throw new Error('no answer in time');
    });
    late.catch(() => undefined);
    await Promise.race([check(), late]);
    return 'ok';
  } catch {
    return 'unavailable';
  } finally {
    patience.abort();
  }
}
