/** Starts and controls the process of the well-behaved clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Sample } from '../report/latency.ts';
import type { ClientsInput, ClientsRequest } from './input.ts';

const SCRIPT = join(import.meta.dirname, 'main.ts');

/** The running clients, controlled by messages to their process. */
export interface Clients {
  begin(): Promise<void>;
  /** Resolves with the samples since `begin` when all of their operations have ended. */
  end(): Promise<Sample[]>;
  stop(): Promise<void>;
}

/** Starts the clients, which run until they are stopped. */
export async function startClients(input: ClientsInput): Promise<Clients> {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(SCRIPT, [], { env, execArgv: [] });
  const send = async (request: ClientsRequest): Promise<Sample[]> => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const response = Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })]);
    child.send(request);
    const [samples] = await response;
    listeners.abort();
    if (!Array.isArray(samples)) throw new Error(`the clients exited with code ${samples}`);
    return samples;
  };
  await send({ kind: 'start', input });
  return {
    begin: async () => {
      await send({ kind: 'begin' });
    },
    end: () => send({ kind: 'end' }),
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
