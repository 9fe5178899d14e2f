/** The request to the tus server, in the form that it expects. */
import { PassThrough, Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** Converts a request. Its path is not that of the request, because the tus server does not parse it. */
export function webRequestOf({ raw, method }: Pick<FastifyRequest, 'raw' | 'method'>): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const url = 'http://localhost/';
  if (method !== 'POST' && method !== 'PATCH') return new Request(url, { method, headers });
  const init = { method, headers, body: Readable.toWeb(bodyOf(raw)), duplex: 'half' };
  return new Request(url, init as RequestInit);
}

/** Ends the body when the client disconnects or has disconnected, so that the received bytes count. */
function bodyOf(raw: FastifyRequest['raw']): Readable {
  const body = new PassThrough();
  raw.pipe(body);
  if (raw.destroyed) body.end();
  else raw.once('close', () => body.end());
  return body;
}
