/** A real HTTP server in place of an SMS provider's. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request. */
interface ProviderRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Name-value pairs in their order, so that duplicate fields remain visible. */
  form: [string, string][];
}

/** The response to requests. */
interface ProviderResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A server. `answer` may be changed; undefined leaves requests without a response. */
export interface ProviderServer {
  url: string;
  requests: ProviderRequest[];
  response: ProviderResponse | undefined;
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1. */
export async function startProviderServer(): Promise<ProviderServer> {
  const requests: ProviderRequest[] = [];
  const server = createServer(async (request, response) => {
    const form = [...new URLSearchParams(await text(request))];
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, form });
    if (started.response === undefined) return;
    const { status, body, headers = {} } = started.response;
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { connection: 'close', ...headers }).end(content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const started: ProviderServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    response: { status: 200, body: {} },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return started;
}
