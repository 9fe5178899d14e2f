/**
 * Writes the router's response to the Node.js response: status and headers, and the page, whole or streamed as it is
 * rendered.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RenderedPage, Visit } from '../session/page-build.ts';
import { FIXED_SECURITY_HEADERS } from './security-headers.ts';
import { staticErrorPage } from './static-error-page.ts';

/** Writes the whole response; resolves at its end, or when the client has disconnected. */
export async function send(
  rendered: Response,
  response: ServerResponse,
  visit: Visit,
  { headers, site }: { headers: OutgoingHttpHeaders; site: string },
): Promise<void> {
  copyHeaders(rendered.headers, headers);
  if (response.req.method === 'HEAD') return void response.writeHead(rendered.status, headers).end();
  if (visit.page !== undefined) return writePage(visit.page, response, rendered.status, headers);
  if (rendered.body) return writeBody(rendered.body, response.writeHead(rendered.status, headers));
  if (rendered.status < 400) return void response.writeHead(rendered.status, headers).end();
  headers['content-type'] = 'text/html; charset=utf-8';
  response
    .writeHead(rendered.status, headers)
    .end(staticErrorPage(rendered.status, { requestId: visit.requestId, site }));
}

/** Responds to a visitor with too many requests, without rendering a page. */
export function sendTooMany(
  response: ServerResponse,
  retryAfterSeconds: number,
  names: { requestId: string; site: string },
): void {
  const headers = {
    ...FIXED_SECURITY_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': String(retryAfterSeconds),
  };
  response.writeHead(429, headers).end(staticErrorPage(429, names));
}

function copyHeaders(from: Headers, to: OutgoingHttpHeaders): void {
  for (const [name, value] of from) if (name !== 'set-cookie') to[name] = value;
  const cookies = from.getSetCookie();
  if (cookies.length > 0) to['set-cookie'] = cookies;
}

function writePage(
  page: RenderedPage,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    if (typeof page === 'function') return page(response.writeHead(status, headers));
    // Without chunks, the response needs one write.
    headers['content-length'] = Buffer.byteLength(page);
    response.writeHead(status, headers).end(page);
  });
}

async function writeBody(body: NonNullable<Response['body']>, response: ServerResponse): Promise<void> {
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(
    (error: unknown) => {
      if (!response.destroyed) throw error;
    },
  );
}
