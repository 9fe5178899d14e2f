/**
 * The routes that manage the functions and secrets of an instance, for holders of the secret key. Their paths begin with
 * `_admin`, which cannot be the name of a function.
 */
import { hash } from 'node:crypto';
import { hasServiceRoleKey } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import { createFairQueue, QueueFullError } from '@greenroom/limits';
import { FUNCTION_NAME } from '@greenroom/project';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { archiveOf, MAX_ARCHIVE_BYTES, readArchive } from '../deployed/bundle.ts';
import type { Deployed } from '../deployed/open-deployed.ts';
import { readSecretNames, readSecrets } from '../deployed/secret-rules.ts';
import { failure } from '../errors.ts';
import type { LogFeed } from '../runtime/log-feed.ts';
import type { ServeSession } from '../serve/session.ts';
import { listFunctions, type ServedFunctions } from './list-functions.ts';
import { logRoutes } from './log-routes.ts';
import { readBody, readJson } from './read-body.ts';

/** Path of the routes below the prefix of the service. */
export const MANAGEMENT_PATH = '/_admin';

/** Options of {@link managementPlugin}. */
export interface ManagementOptions {
  deployed: Deployed;
  served: ServedFunctions;
  feed: LogFeed;
  session: ServeSession;
  readApiKey: ApiKeyReader;
}

/** A hundred secrets of 48 KiB, in which each character may be an escape. */
const MAX_SECRETS_BODY_BYTES = 32 * 1024 * 1024;
const MAX_SMALL_BODY_BYTES = 64 * 1024;
/** Bodies are kept in memory. */
const BODIES = { max: 2, maxPerClient: 2, maxWaiting: 32, maxWaitingPerClient: 32 };
const STREAMS = { config: { streamsBody: true } };

/** Serves the routes below {@link MANAGEMENT_PATH}. */
export const managementPlugin: FastifyPluginAsync<ManagementOptions> = async (server, options) => {
  const { readApiKey, deployed, served, feed, session } = options;
  server.addHook('onRequest', async (request) => requireServiceKey(request, readApiKey));
  // Without the prefix of this plugin.
  await server.register(functionRoutes, { deployed, served });
  await server.register(secretRoutes, { deployed });
  await server.register(logRoutes, { served, feed, session });
};

interface NamedRequest {
  Params: { name: string };
}

const functionRoutes: FastifyPluginAsync<Pick<ManagementOptions, 'deployed' | 'served'>> = async (
  server,
  { deployed, served },
) => {
  const { deployments, versions } = deployed;
  const bodies = createFairQueue(BODIES);

  server.get('/functions', async () => listFunctions(served, await versions.list()));

  server.post<NamedRequest>('/functions/:name/versions', STREAMS, async (request) => {
    const name = requireName(request.params.name);
    const release = await bodies.acquire([]).catch((error: unknown) => {
      throw error instanceof QueueFullError ? failure('TOO_MANY_REQUESTS', { cause: error }) : error;
    });
    try {
      const bundle = await readArchive(await readBody(request, MAX_ARCHIVE_BYTES));
      return await deployments.deploy(name, bundle);
    } finally {
      release();
    }
  });

  server.get<NamedRequest>('/functions/:name/versions', async ({ params }) =>
    versions.versions(requireName(params.name)),
  );

  server.get<{ Params: { name: string; version: string } }>(
    '/functions/:name/versions/:version',
    async ({ params }, reply) => {
      const bundle = await deployments.bundleOf(requireName(params.name), requireVersion(params.version));
      return reply.type('application/gzip').send(await archiveOf(bundle));
    },
  );

  server.post<NamedRequest>('/functions/:name/rollback', STREAMS, async (request) => {
    const name = requireName(request.params.name);
    const { to } = (await readJson(request, MAX_SMALL_BODY_BYTES)) as { to?: unknown };
    return {
      name,
      version: await deployments.rollBack(name, to === undefined ? undefined : requireVersion(to)),
    };
  });

  server.delete<NamedRequest>('/functions/:name', async ({ params }, reply) => {
    await deployments.remove(requireName(params.name));
    return reply.code(204).send();
  });
};

const secretRoutes: FastifyPluginAsync<Pick<ManagementOptions, 'deployed'>> = async (
  server,
  { deployed },
) => {
  const { secrets } = deployed;

  server.get('/secrets', async () =>
    [...(await secrets.read())].map(([name, value]) => ({
      name,
      // Null if it cannot be decrypted.
      digest: value === undefined ? null : hash('sha256', value),
    })),
  );

  server.post('/secrets', STREAMS, async (request, reply) => {
    await secrets.set(readSecrets(await readJson(request, MAX_SECRETS_BODY_BYTES)));
    await deployed.refreshSecrets();
    return reply.code(204).send();
  });

  server.delete('/secrets', STREAMS, async (request) => {
    const removed = await secrets.unset(readSecretNames(await readJson(request, MAX_SMALL_BODY_BYTES)));
    await deployed.refreshSecrets();
    return removed;
  });
};

/** Throws an error of the catalogue unless the request has the secret key, or a token of the service_role. */
async function requireServiceKey(request: FastifyRequest, readApiKey: ApiKeyReader): Promise<void> {
  if (await hasServiceRoleKey(request, readApiKey)) return;
  const { authorization, apikey } = request.headers;
  if (authorization === undefined && apikey === undefined) throw failure('UNAUTHORIZED_NO_AUTH_HEADER');
  throw failure('FORBIDDEN');
}

function requireName(name: string): string {
  if (FUNCTION_NAME.test(name) && name.length <= 100) return name;
  throw failure('INVALID_REQUEST', {
    message: `${JSON.stringify(name.slice(0, 100))} cannot be the name of a function. Use a letter, then letters, digits, _ and -, at most 100`,
  });
}

const MAX_VERSION = 2 ** 31 - 1;

function requireVersion(value: unknown): number {
  const version = Number(value);
  if (/^\d+$/.test(String(value)) && version >= 1 && version <= MAX_VERSION) return version;
  throw failure('INVALID_REQUEST', {
    message: `${JSON.stringify(value)} is not the number of a version. Use a whole number from 1`,
  });
}
