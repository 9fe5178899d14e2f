/**
 * The HTTP API of the mailbox, for tests of projects: the part of Mailpit's API that reads, searches and deletes mails,
 * and Inbucket's API. Its clients can sign in with the links in mails, so it is served on the loopback only, refuses
 * other host names (DNS rebinding), and allows no other origin to read responses.
 */
import { isSentToLoopback } from '@greenroom/http';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Mails } from '../mails/mails.ts';
import { SearchError } from '../mails/search.ts';
import { registerInbucket } from './inbucket.ts';
import { registerMailpit } from './mailpit.ts';
import { createSeenMails } from './seen.ts';
import { registerViews } from './views.ts';

/** Options of {@link createMailApi}. */
export interface MailApiOptions {
  mails: Mails;
  /** URL of the page of the mailbox. */
  pageUrl: string;
  /** Version of Greenroom. */
  version: string;
  onError: (error: unknown) => void;
}

const MAX_BODY_BYTES = 64 * 1024;
/** Longest name of a mailbox in a path: an encoded address (RFC 5321 §4.5.3.1.3). */
const MAX_PARAM_LENGTH = 1024;

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Creates the API; `routing` of the result handles requests. */
export async function createMailApi({
  mails,
  pageUrl,
  version,
  onError,
}: MailApiOptions): Promise<FastifyInstance> {
  const server = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    if (isSentToLoopback(request)) return;
    return reply
      .code(403)
      .type('text/plain')
      .send('The mailbox is available as localhost or 127.0.0.1 only.');
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    const status = error instanceof SearchError ? 400 : (error.statusCode ?? 500);
    if (status >= 500) onError(error);
    return reply
      .code(status)
      .type('text/plain')
      .send(status >= 500 ? 'Error: the mailbox is not available' : `Error: ${error.message}`);
  });
  server.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/plain').send('404 page not found'),
  );

  const seen = createSeenMails();
  server.get('/', (_request, reply) => reply.redirect(pageUrl, 302));
  // The format of the server itself, by which another instance recognises the holder of the port.
  server.get('/health', () => ({ status: 'ok', version, parts: { mailbox: 'ok' } }));
  registerMailpit(server, { mails, seen, version });
  registerViews(server, { mails, seen, pageUrl });
  registerInbucket(server, { mails, seen });
  await server.ready();
  return server;
}
