/** An HTTP server that records its requests, for tests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request. */
interface ReceivedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A running server on 127.0.0.1. */
export interface HttpEndpoint {
  port: number;
  /** http://127.0.0.1:PORT */
  url: string;
  /** Received requests, oldest first. */
  received: ReceivedRequest[];
  /** The largest number of requests that were in progress at once. */
  maxInProgress: number;
  /** Responds to requests; by default with 200 and the text `ok`. Never called again after a request was closed. */
  respond: (request: ReceivedRequest, response: ServerResponse) => void;
  /** Returns the paths of received requests that begin with a text. */
  pathsWith(start: string): string[];
  close(): Promise<void>;
}

/** Starts a server. */
export async function startHttpEndpoint(port = 0): Promise<HttpEndpoint> {
  let inProgress = 0;
  const server = createServer(async (message, response) => {
    inProgress += 1;
    endpoint.maxInProgress = Math.max(endpoint.maxInProgress, inProgress);
    response.on('close', () => {
      inProgress -= 1;
    });
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body: await text(message) };
    endpoint.received.push(request);
    endpoint.respond(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const endpoint: HttpEndpoint = {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    received: [],
    maxInProgress: 0,
    respond: (_request, response) => void response.end('ok'),
    pathsWith: (start) => endpoint.received.map(({ path }) => path).filter((path) => path.startsWith(start)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return endpoint;
}
