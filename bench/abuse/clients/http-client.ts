/** The HTTP client of well-behaved users: keep-alive connections, one client address per user, a timeout. */
import { Agent, type IncomingMessage, request } from 'node:http';

/** Timeout of a request in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;

interface ClientRequest {
  address: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: object | Buffer | string;
  /** Expected statuses; 200 by default. */
  expects?: readonly number[];
}

/** A response with an expected status. */
interface Reply {
  text: string;
  headers: IncomingMessage['headers'];
}

/** Sends a request. Rejects for an unexpected status, a broken connection and after the timeout. */
export type SendRequest = (clientRequest: ClientRequest) => Promise<Reply>;

/** Creates a client of the server at `url`. */
export function createHttpClient(url: string): SendRequest {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return (clientRequest) =>
    sendOnce(url, agent, clientRequest).catch((error: NodeJS.ErrnoException) => {
      // The server closed the kept connection at the same time. Browsers retry such a request as well.
      if (error.code === STALE) return sendOnce(url, agent, clientRequest);
      throw error;
    });
}

const STALE = 'STALE_CONNECTION';

function sendOnce(url: string, agent: Agent, clientRequest: ClientRequest): Promise<Reply> {
  const { address, body, path, expects = [200] } = clientRequest;
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const method = clientRequest.method ?? (body === undefined ? 'GET' : 'POST');
  const headers = { ...(isJson && { 'content-type': 'application/json' }), ...clientRequest.headers };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const fail = (reason: string, code?: string) => {
      reject(Object.assign(new Error(reason), { code }));
    };
    const pending = request(
      url + path,
      { agent, method, headers, localAddress: address, signal } as object,
      (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('latin1');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', (error) => fail(reasonOf(error)));
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          if (expects.includes(statusCode)) resolve({ text, headers });
          else fail(String(statusCode));
        });
      },
    );
    pending.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = pending.reusedSocket && error.code === 'ECONNRESET';
      fail(reasonOf(error), isStale ? STALE : undefined);
    });
    pending.end(isJson ? JSON.stringify(body) : body);
  });
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no response within 10 s';
  return error.code ?? error.message;
}
