/** The routes of saved queries and of the history of the SQL page. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseBody } from '../run/run-request.ts';
import { newRun, type RunHistory, runFilter, runOutcome, runReader } from './run-history.ts';
import { changedQuery, deletedQuery, newQuery, queryReader, type SavedQueries } from './saved-queries.ts';

/** The stores behind the routes. */
export interface QueryStores {
  queries: SavedQueries;
  history: RunHistory;
}

const MAX_QUERY_BODY_BYTES = 4 * 1024 * 1024;
/** A result of 16 MB may need several times as many bytes as JSON in a text of JSON. */
const MAX_RESULT_BODY_BYTES = 128 * 1024 * 1024;
const path = z.strictObject({ id: z.uuid() });

/** Adds `/queries` and `/history`. */
export function queryRoutes(server: FastifyInstance, { queries, history }: QueryStores): void {
  const options = { bodyLimit: MAX_QUERY_BODY_BYTES };
  server.get('/queries', async (request) => queries.list(parseBody(queryReader, request.query).actor));
  server.post('/queries', options, async (request, reply) => {
    const added = await queries.add(parseBody(newQuery, request.body));
    return reply.code(201).send(added);
  });
  server.patch('/queries/:id', options, async (request) =>
    queries.change(parseBody(path, request.params).id, parseBody(changedQuery, request.body)),
  );
  server.delete('/queries/:id', async (request, reply) => {
    await queries.remove(parseBody(path, request.params).id, parseBody(deletedQuery, request.query));
    return reply.code(204).send();
  });
  server.get('/history', async (request) => history.list(parseBody(runFilter, request.query)));
  server.post('/history', options, async (request, reply) => {
    await history.add(parseBody(newRun, request.body));
    return reply.code(204).send();
  });
  server.delete('/history', async (request, reply) => {
    await history.clear(parseBody(runReader, request.query).actor);
    return reply.code(204).send();
  });
  server.get('/history/:id', async (request) =>
    history.find(parseBody(path, request.params).id, parseBody(runReader, request.query).actor),
  );
  server.patch('/history/:id', { bodyLimit: MAX_RESULT_BODY_BYTES }, async (request, reply) => {
    await history.complete(parseBody(path, request.params).id, parseBody(runOutcome, request.body));
    return reply.code(204).send();
  });
}
