/** Calls hooks: payload → transport → output. Limits the size of both and logs failures. */

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@greenroom/postgres';
import type { Hooks } from '../contracts/hooks.ts';
import type { HookName, HookTarget } from '../settings/hooks.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { asHookFailure, tooLarge } from './hook-failure.ts';
import { httpTransport } from './http.ts';
import { createLatencySamples } from './latency-samples.ts';
import { parseOutput } from './output.ts';
import { functionTransport } from './pg-function.ts';
import { createSemaphore } from './semaphore.ts';
import { type HookTransport, SIZE_LIMIT } from './transport.ts';

/**
 * Maximum number of transactions that wait for a hook over HTTP. Each holds one of the service's twelve connections,
 * and a slow hook must not block requests without hooks.
 */
const MAX_HELD_CONNECTIONS = 6;
/** Hooks that are called while a transaction is open. */
const WITHIN_TRANSACTIONS: readonly HookName[] = ['customAccessToken', 'sendEmail', 'sendSms'];

/** The log of failures. Payloads and outputs must not be logged, because they contain codes and personal data. */
interface HookLog {
  warn(fields: Record<string, unknown>, text: string): void;
}

/** Options of {@link createHooks}. */
interface HooksOptions {
  config: Pick<AuthConfig, 'hooks'>;
  database: Database;
  log: HookLog;
}

/** Creates the hooks that the configuration enables. */
export function createHooks({ config, database, log }: HooksOptions): Hooks {
  const targets = new Map(Object.entries(config.hooks)) as Map<HookName, HookTarget>;
  const transports = new Map([...targets].map(([name, target]) => [name, transportOf(target, database)]));
  const durations = new Map([...targets].map(([name]) => [name, createLatencySamples()]));
  const needsPermit = WITHIN_TRANSACTIONS.some((name) => targets.get(name)?.kind === 'http');
  const semaphore = createSemaphore(MAX_HELD_CONNECTIONS);
  return {
    isSet: (name) => targets.has(name),
    async call({ name, payloadName, output }, input, { address }, tx) {
      const startedAt = performance.now();
      try {
        const payload = payloadOf(payloadName, input, address);
        const transport = requireTransport(transports, name);
        return parseOutput(await transport.send(payload, tx), output);
      } catch (error) {
        const refused = asHookFailure(error);
        log.warn(
          { hook: payloadName, reason: refused.message, cause: causeOf(refused) },
          'a hook rejected the request or failed',
        );
        throw refused;
      } finally {
        durations.get(name)?.record(performance.now() - startedAt);
      }
    },
    simulateLatency: (name) => sleep(durations.get(name)?.sample() ?? 0),
    transaction: (work) =>
      needsPermit ? semaphore(() => database.transaction(work)) : database.transaction(work),
  };
}

function transportOf(target: HookTarget, database: Database): HookTransport {
  return target.kind === 'http' ? httpTransport(target) : functionTransport(target, database);
}

function requireTransport(transports: ReadonlyMap<HookName, HookTransport>, name: HookName): HookTransport {
  const transport = transports.get(name);
  if (transport === undefined) throw new Error(`hook ${name} is not configured`);
  return transport;
}

function payloadOf(payloadName: string, input: object, address: string): string {
  const metadata = {
    uuid: randomUUID(),
    time: new Date().toISOString(),
    name: payloadName,
    ip_address: address,
  };
  const payload = JSON.stringify({ metadata, ...input });
  if (Buffer.byteLength(payload) > SIZE_LIMIT) throw tooLarge();
  return payload;
}

/** `fetch` reports the actual reason in the cause of its error. */
function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}
