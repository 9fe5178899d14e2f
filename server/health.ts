/** `/health`, `/health/ready` and `/health/live`: whether every part is ready, and whether the process runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BackupState } from './backup/backup-state.ts';
import type { CertificateState } from './certificate-state.ts';

/** A part that does not respond within this time is not ready. */
const CHECK_TIMEOUT_MS = 2000;

/** The check of a part: resolves when it is ready, rejects when it is not. */
export type HealthChecks = Record<string, () => Promise<unknown>>;

/** Version, schema and certificate of a server, as reported by `/health`. */
interface Release {
  version: string;
  /** Last migration of each service, e.g. `{auth: '0006_proven_addresses'}`; not set without a database. */
  schema?: Readonly<Record<string, string>> | undefined;
  /** Returns the state of the certificate; not set without HTTPS. */
  certificate?: (() => CertificateState | undefined) | undefined;
  /** Returns the state of the continuous backup, which readiness does not depend on; not set without one. */
  backup?: (() => BackupState) | undefined;
}

/**
 * Registers `/health` and `/health/ready`, which respond with 200 `{status: "ok", version, schema, certificate, backup, parts}`,
 * or with 503, the status `unavailable` and the state of each part; and `/health/live`, which responds with 200 while the
 * process runs, for supervisors that restart it otherwise.
 */
export function registerHealth(server: FastifyInstance, checks: HealthChecks, release: Release): void {
  const stateOfAll = coalesce(async () => {
    const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const);
    return Object.fromEntries(await Promise.all(states));
  });
  const sendReadiness = async (_request: FastifyRequest, reply: FastifyReply) => {
    const parts = await stateOfAll();
    const isReady = Object.values(parts).every((state) => state === 'ok');
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: isReady ? 'ok' : 'unavailable',
        ...release,
        certificate: release.certificate?.(),
        backup: release.backup?.(),
        parts,
      });
  };
  server.get('/health', sendReadiness);
  server.get('/health/ready', sendReadiness);
  server.get('/health/live', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: release.version }),
  );
}

/**
 * Runs `work` once for all concurrent callers, so that many requests of one client do not fill the connection pools.
 */
function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Returns the state of one part within a limited time. */
export async function stateOf(check: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  const timer = new AbortController();
  try {
    const timeout = sleep(CHECK_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
      throw new Error('health check timed out');
    });
    timeout.catch(() => undefined);
    await Promise.race([check(), timeout]);
    return 'ok';
  } catch {
    return 'unavailable';
  } finally {
    timer.abort();
  }
}
