/** The Fastify plugin of functions: every path below the prefix is that of a function. */
import { CatalogueError } from '@greenroom/errors';
import { logFailure, noteError } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import { clientKeys, QueueFullError } from '@greenroom/limits';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from './errors.ts';
import type { FunctionsInstance } from './instance.ts';
import { MANAGEMENT_PATH, type ManagementOptions, managementPlugin } from './management/management-plugin.ts';
import { relayRequest } from './relay/relay-request.ts';
import { relayUpgrade } from './relay/relay-upgrade.ts';
import { authorize } from './request/authorize.ts';
import { type Target, targetOf } from './request/target.ts';
import { StartFailure } from './start-failure.ts';

/** Options of {@link functionsPlugin}. */
interface FunctionsPluginOptions {
  instance: FunctionsInstance;
  readApiKey: ApiKeyReader;
  /** The parts that the routes of the management need; undefined: there are no such routes. */
  management?: Omit<ManagementOptions, 'readApiKey'> | undefined;
}

/** Cross-origin rules: functions answer preflights themselves; errors of the router can be read by all origins. */
export const FUNCTIONS_CORS = {
  allowedOrigins: () => undefined,
  handlesOptions: true,
  handlesPreflights: true,
  exposedHeaders: ['sb-error-code', 'x-relay-error'],
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Serves functions below the prefix of its registration, usually `/functions/v1`. */
export const functionsPlugin: FastifyPluginAsync<FunctionsPluginOptions> = async (server, options) => {
  const { instance, readApiKey, management } = options;
  const { prefix } = server;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.setErrorHandler(respondWithError);

  const respond = async (request: FastifyRequest, reply: FastifyReply) => {
    const target = targetOf(request.url.slice(prefix.length));
    const found = target && (await instance.functions.find(target.name));
    if (target === undefined || found === undefined) throw failure('NOT_FOUND');
    request.operation = `${prefix}/${target.name}`;
    if (found.verifiesJwt && request.method !== 'OPTIONS') {
      await authorize(request, { tokens: instance.tokens, readApiKey });
    }
    const release = await enter(instance, request);
    try {
      await relay(server, { ...options, request, reply, ...target });
    } finally {
      release();
    }
  };
  const config = { streamsBody: true };
  server.route({ method: METHODS, url: '/*', config, handler: respond });
  if (management !== undefined)
    await server.register(managementPlugin, { ...management, readApiKey, prefix: MANAGEMENT_PATH });
  await server.register(rejections);
};

/** Registers the paths and methods that are refused. */
const rejections: FastifyPluginAsync = async (server) => {
  const config = { onlyRejects: true };
  server.all('/', { config }, async () => {
    throw failure('NOT_FOUND');
  });
  const method = server.supportedMethods.filter((name) => !METHODS.includes(name) && name !== 'HEAD');
  server.route({
    method,
    url: '/*',
    config,
    handler: async () => {
      throw failure('METHOD_NOT_ALLOWED');
    },
  });
};

/** A request whose function exists, and which may reach it. */
interface Relay extends FunctionsPluginOptions, Target {
  request: FastifyRequest;
  reply: FastifyReply;
}

async function relay(
  server: FastifyInstance,
  { instance, request, reply, name, path }: Relay,
): Promise<void> {
  const { config, functions } = instance;
  const { worker, release } = await functions.acquire(name);
  try {
    const upgrade = server.upgrades.of(request);
    if (upgrade === undefined) await relayRequest({ ...config, request, reply, worker, path });
    else await relayUpgrade({ ...config, request, reply, upgrade, worker, path });
  } finally {
    release();
  }
}

/** Waits for a permit: the requests of one client cannot take all of them. */
async function enter({ queue }: FunctionsInstance, request: FastifyRequest): Promise<() => void> {
  const keys = request.isCounted ? clientKeys({ address: request.clientAddress }) : [];
  return queue.acquire(keys).catch((error: unknown) => {
    throw error instanceof QueueFullError ? failure('TOO_MANY_REQUESTS', { cause: error }) : error;
  });
}

/** Responds in the format of the hosted service. The cause is for the log only. */
function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = knownError(error);
  if (known === undefined) throw error;
  noteError(request, known);
  const { cause } = known;
  if (cause !== undefined && known.status >= 500) {
    logFailure(request, { err: cause, code: known.code }, 'a function failed');
  }
  if (isPreflight(request)) {
    allowRequest(request, reply);
    return;
  }
  const { code, message } = known;
  reply.header('sb-error-code', code);
  if (code === 'RELAY_ERROR') reply.header('x-relay-error', 'true');
  if (known.status === 503 || known.status === 429) reply.header('retry-after', '1');
  // Clients of earlier versions read `msg`.
  void reply
    .code(known.status)
    .send(known.status === 401 ? { code, message, msg: message } : { code, message });
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** A page can only read the error of the request if its preflight succeeds. */
function allowRequest({ headers }: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(204)
    .header('access-control-allow-methods', METHODS.join(', '))
    .header('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
    .send();
}

function knownError(error: unknown): CatalogueError | undefined {
  if (error instanceof CatalogueError) return error;
  return error instanceof StartFailure ? failure('BOOT_ERROR', { cause: error }) : undefined;
}
