/** External servers that the service calls, for tests: real sockets, and responses that a test determines. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A listening server. */
export interface OtherServer {
  /** Without a trailing slash. */
  url: string;
  /** Received requests, oldest first. */
  received: Received[];
  close(): Promise<void>;
}

/** Starts a server on a free port. `answer` may leave a request without a response. */
export async function startOtherServer(
  respond: (request: Received, response: ServerResponse) => void,
): Promise<OtherServer> {
  const received: Received[] = [];
  const server = createServer(async (message, response) => {
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body: await text(message) };
    received.push(request);
    respond(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
