/** The routes that stream what functions print: the log, and sessions of `greenroom functions serve`. */
import type { FastifyPluginAsync } from 'fastify';
import { failure } from '../errors.ts';
import type { LogFeed } from '../runtime/log-feed.ts';
import { readOverrides } from '../serve/overrides.ts';
import type { ServeSession } from '../serve/session.ts';
import type { ServedFunctions } from './list-functions.ts';
import { readJson } from './read-body.ts';
import { streamLines } from './stream-lines.ts';

/** Options of {@link logRoutes}. */
interface LogRoutesOptions {
  served: ServedFunctions;
  feed: LogFeed;
  session: ServeSession;
}

const MAX_FOLLOWERS = 50;
const MAX_LIMIT = 1000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Serves `GET /logs` and `POST /serve`. */
export const logRoutes: FastifyPluginAsync<LogRoutesOptions> = async (server, { served, feed, session }) => {
  // Before the server waits for responses that run.
  server.addHook('preClose', async () => feed.close());

  server.get<{ Querystring: Record<string, unknown> }>('/logs', async ({ query }, reply) => {
    const { name, limit = '100', follow } = query;
    const number = Number(limit);
    if (!(Number.isInteger(number) && number >= 0 && number <= MAX_LIMIT))
      throw failure('INVALID_REQUEST', { message: `limit must be a whole number from 0 to ${MAX_LIMIT}` });
    requireRoom();
    return streamLines(reply, {
      feed,
      matches: (line) => name === undefined || line.function === name,
      limit: number,
      follows: follow === 'true',
    });
  });

  server.post('/serve', { config: { streamsBody: true } }, async (request, reply) => {
    const { projectFolder } = served;
    if (projectFolder === undefined)
      throw failure('INVALID_REQUEST', {
        message: 'This instance runs no project, so there is nothing to serve',
      });
    const overrides = await readOverrides(await readJson(request, MAX_BODY_BYTES), projectFolder);
    const known = (await served.ofProject()).map(({ name }) => name);
    const missing = overrides.names?.find((name) => !known.includes(name));
    if (missing !== undefined)
      throw failure('INVALID_REQUEST', {
        message: `The project has no enabled function ${missing}. It has: ${known.join(', ')}`,
      });
    requireRoom();
    const end = await session.begin(overrides);
    if (overrides.inspector !== undefined) reply.header('greenroom-inspector', served.inspectorAddress);
    return streamLines(reply, {
      feed,
      matches: (line) => overrides.names?.includes(line.function) ?? true,
      limit: 0,
      follows: true,
      onEnd: () => {
        end().catch((error: unknown) =>
          request.log.error({ err: error }, 'functions could not be read again'),
        );
      },
    });
  });

  function requireRoom(): void {
    if (feed.followers >= MAX_FOLLOWERS) throw failure('TOO_MANY_REQUESTS');
  }
};
