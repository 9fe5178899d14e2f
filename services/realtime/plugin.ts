/** The Fastify plugin of realtime: its HTTP endpoints and the handshakes of its sockets. */
import { CatalogueError } from '@greenroom/errors';
import { logFailure, noteError, registerNotFoundRoutes } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyError, FastifyPluginAsync } from 'fastify';
import {
  BATCH_LIMIT,
  broadcastBatch,
  broadcastSingle,
  SINGLE_LIMIT,
  type SingleRequest,
  TOO_LARGE,
  UNSUPPORTED_TYPE,
} from './http/broadcast.ts';
import { authenticateSender } from './http/sender.ts';
import type { RealtimeInstance } from './instance.ts';
import { createHandshakeReader } from './socket/handshake.ts';
import { Sockets } from './socket/sockets.ts';

/** Options of {@link realtimePlugin}. */
interface RealtimePluginOptions {
  instance: RealtimeInstance;
  readApiKey: ApiKeyReader;
  /** The token of clients without an API key; undefined if an API key is required. */
  keylessToken: string | undefined;
}

/** Above the limit of a single message, because a batch has many messages in one body. */
const MAX_BODY_BYTES = 8_000_000;

/** The path of sockets below the prefix. Handshakes check the API key themselves. */
export const SOCKET_PATH = '/websocket';

/** Serves the endpoints and sockets below the prefix of its registration, usually `/realtime/v1`. */
export const realtimePlugin: FastifyPluginAsync<RealtimePluginOptions> = async (server, options) => {
  const { context } = options.instance;
  const sockets = new Sockets(context);
  const readHandshake = createHandshakeReader({
    ...options,
    readToken: context.readToken,
    reserveSocket: (client) => sockets.reserve(client),
  });
  server.addHook('preClose', () => sockets.close());
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  server.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode === 413) return reply.code(413).send(TOO_LARGE);
    if (error.statusCode === 415) return reply.code(415).send(UNSUPPORTED_TYPE);
    if (!(error instanceof CatalogueError)) throw error;
    noteError(request, error);
    if (error.cause !== undefined)
      logFailure(request, { err: error.cause, code: error.code }, 'realtime request failed');
    return reply.code(error.status).send({ error: error.message });
  });

  const { maxHeaderBytes } = context.config;
  server.get(SOCKET_PATH, { config: { maxHeaderBytes } }, async (request, reply) => {
    const upgrade = server.upgrades.of(request);
    if (upgrade === undefined) return reply.code(426).header('upgrade', 'websocket').send(UPGRADE_REQUIRED);
    const handshake = await readHandshake(request).catch((error: unknown) => {
      const code = error instanceof CatalogueError ? error.code : 'unknown';
      context.metrics.refused.inc({ code });
      throw error;
    });
    reply.hijack();
    sockets.open(request, upgrade, handshake);
  });
  server.get('/api/ping', async () => ({ message: 'Success' }));
  server.post('/api/broadcast', { onRequest: authenticateSender(context, BATCH_LIMIT) }, (request, reply) =>
    broadcastBatch(context, request, reply),
  );
  server.post(
    '/api/broadcast/:topic/events/:event',
    { onRequest: authenticateSender(context, SINGLE_LIMIT) },
    (request, reply) => broadcastSingle(context, request as unknown as SingleRequest, reply),
  );
  await registerNotFoundRoutes(server);
};

const UPGRADE_REQUIRED = { error: 'This path requires a WebSocket upgrade' };
