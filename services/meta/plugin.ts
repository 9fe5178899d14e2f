/** The Fastify plugin of the service: its routes and its error handler. */
import { PassThrough } from 'node:stream';
import { CatalogueError } from '@greenroom/errors';
import {
  createServiceKeyAccess,
  logFailure,
  noteError,
  registerNotFoundRoutes,
  type ServiceKeyAccessOptions,
} from '@greenroom/http';
import { QueueFullError } from '@greenroom/limits';
import { isDatabaseUnavailable } from '@greenroom/postgres';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AuditLog, entryFilter, entryOutcome, newEntry } from './audit/audit-log.ts';
import { failure } from './errors.ts';
import { listObjects, parseListFilter } from './listing/list-objects.ts';
import { LISTINGS, type ListingKind } from './listing/listings.ts';
import type { Migrate } from './migration/migrate.ts';
import { parseMigrationRequest } from './migration/migration-request.ts';
import { type QueryStores, queryRoutes } from './queries/routes.ts';
import { cancelElsewhere } from './run/cancel-elsewhere.ts';
import { exportRows, parseExportRequest } from './run/export.ts';
import { parseQueryRequest, rowsOfOutcome } from './run/query.ts';
import { runRequest } from './run/run.ts';
import { parseBody, parseRunRequest } from './run/run-request.ts';
import type { Runner } from './run/runner.ts';

/** The parts that the routes use. */
interface MetaParts extends ServiceKeyAccessOptions, QueryStores {
  runner: Runner;
  audit: AuditLog;
  migrate: Migrate;
  status(): Promise<Record<string, unknown>>;
  /** Returns the findings of the advisors. */
  advise(): Promise<readonly object[]>;
}

const MAX_SQL_BODY_BYTES = 16 * 1024 * 1024;
const MAX_QUERY_ROWS = 10_000;
const cancelRequest = z.strictObject({ id: z.uuid() });
const entryPath = z.strictObject({ id: z.string().regex(/^\d{1,18}$/) });

/** Serves the routes below `/pg`. */
export const metaPlugin: FastifyPluginAsync<MetaParts> = async (server, parts) => {
  const findRefusal = createServiceKeyAccess(parts);
  server.setErrorHandler(respondWithError);
  server.addHook('onRequest', async (request) => {
    const refusal = await findRefusal(request);
    if (refusal !== undefined) throw failure(refusal);
  });
  // Results, SQL and the audit log are for one reader.
  server.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  sqlRoutes(server, parts);
  auditRoutes(server, parts);
  server.post('/migrations', { bodyLimit: MAX_SQL_BODY_BYTES }, async (request) =>
    parts.migrate(parseMigrationRequest(request.body)),
  );
  listRoutes(server, parts);
  queryRoutes(server, parts);
  server.get('/status', async () => parts.status());
  server.get('/advisors', async () => parts.advise());
  await registerNotFoundRoutes(server);
};

function sqlRoutes(server: FastifyInstance, { runner }: MetaParts): void {
  const options = { bodyLimit: MAX_SQL_BODY_BYTES };
  server.post('/run', options, async (request, reply) => {
    const run = parseRunRequest(request.body);
    return runner.run((client) => runRequest(client, run), { id: run.id, signal: closingSignal(reply) });
  });
  server.post('/query', options, async (request, reply) => {
    const { query, parameters } = parseQueryRequest(request.body);
    const run = parseRunRequest({ sql: query, parameters, max_rows: MAX_QUERY_ROWS });
    return rowsOfOutcome(
      await runner.run((client) => runRequest(client, run), { signal: closingSignal(reply) }),
    );
  });
  server.post('/cancel', async (request, reply) => {
    const { id } = parseBody(cancelRequest, request.body);
    if (!runner.cancel(id) && !(await cancelElsewhere(runner, id))) throw failure('statement_not_found');
    return reply.code(204).send();
  });
  server.post('/export', async (request, reply) => streamExport(runner, request, reply));
}

/** An error before the first row is a response; a later one ends the stream without its end. */
async function streamExport(
  runner: Runner,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const exported = parseExportRequest(request.body);
  const output = new PassThrough();
  const signal = closingSignal(reply);
  const started = Promise.withResolvers<void>();
  const write = async (text: string) => {
    started.resolve();
    if (output.write(text)) return;
    await new Promise<void>((resolve) => {
      output.once('drain', resolve);
      output.once('close', resolve);
    });
    signal.throwIfAborted();
  };
  runner
    .run((client) => exportRows(client, exported, write), { id: exported.id, signal })
    .then(
      () => output.end(),
      (error: Error) => {
        started.reject(error);
        output.destroy(error);
      },
    );
  output.on('error', () => undefined);
  await started.promise;
  return reply.header('content-type', 'text/csv; charset=utf-8').send(output);
}

function listRoutes(server: FastifyInstance, { runner }: MetaParts): void {
  for (const kind of Object.keys(LISTINGS) as ListingKind[]) {
    server.get(`/${kind}`, async (request, reply) => {
      const filter = parseListFilter(request.query);
      return runner.run((client) => listObjects(client, kind, filter), { signal: closingSignal(reply) });
    });
  }
}

function auditRoutes(server: FastifyInstance, { audit }: MetaParts): void {
  server.get('/audit', async (request) => audit.list(parseBody(entryFilter, request.query)));
  server.post('/audit', async (request, reply) => {
    const id = await audit.add(parseBody(newEntry, request.body));
    return reply.code(201).send({ id });
  });
  server.patch('/audit/:id', async (request, reply) => {
    const { id } = parseBody(entryPath, request.params);
    await audit.complete(id, parseBody(entryOutcome, request.body));
    return reply.code(204).send();
  });
}

/** Aborts if the client disconnects before it has the response. */
function closingSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(failure('statement_cancelled'));
  });
  return controller.signal;
}

function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = knownError(error);
  if (known === undefined) throw error;
  noteError(request, known);
  if (known.status >= 500)
    logFailure(request, { err: known.cause, code: known.code }, 'a request of the admin area failed');
  if (known.status === 429) reply.header('retry-after', '1');
  void reply.code(known.status).send({ code: known.code, message: known.message, ...known.extra });
}

function knownError(error: unknown): CatalogueError | undefined {
  if (error instanceof CatalogueError) return error;
  if (error instanceof QueueFullError) return failure('too_many_requests', { cause: error });
  if (isDatabaseUnavailable(error)) return failure('database_unavailable', { cause: error });
  const { statusCode, message, code } = error as { statusCode?: number; message?: string; code?: string };
  if (isSqlState(error)) return failure('sql_error', { message: message ?? '', extra: { code } });
  return statusCode !== undefined && statusCode < 500
    ? failure('invalid_request', { message: message ?? '' })
    : undefined;
}

function isSqlState(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}
