/** The server that receives requests and webhooks. It belongs to the trial, so it outlives the instance. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Random } from '../crash/random.ts';

/** A webhook fails with this probability, so that attempts wait when the instance is killed. */
const FAILURES = 0.1;

/** A running server. */
export interface Endpoint {
  port: number;
  url: string;
  /** Returns the number of successful requests of each id below a path. */
  received(path: string): Map<string, number>;
  close(): Promise<void>;
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startEndpoint(random: Random): Promise<Endpoint> {
  const counts = new Map<string, Map<string, number>>();
  const received = (path: string) => {
    const found = counts.get(path) ?? new Map<string, number>();
    counts.set(path, found);
    return found;
  };
  const server = createServer(async (request, response) => {
    const body = (await json(request).catch(() => undefined)) as Body | undefined;
    const id = body?.record?.id ?? body?.id;
    const path = request.url ?? '';
    if (id === undefined || (path === '/webhooks' && random() < FAILURES)) {
      response.writeHead(503).end();
      return;
    }
    received(path).set(id, (received(path).get(id) ?? 0) + 1);
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Of a request, or of a webhook. */
interface Body {
  id?: string;
  record?: { id?: string };
}
