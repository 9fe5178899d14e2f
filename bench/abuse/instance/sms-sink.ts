/** An SMS provider with Twilio's protocol that accepts and counts every message. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sink } from './smtp-sink.ts';

/** Starts the provider on 127.0.0.1. */
export async function startSmsSink(): Promise<Sink> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ sid: `SM${count}`, status: 'queued' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
