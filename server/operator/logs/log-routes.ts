/** Routes of the log that the instance keeps: searching it, and following it. */
import type { LogStore } from '@greenroom/log/store';
import type { FastifyInstance } from 'fastify';
import { failure } from '../errors.ts';
import { parseRequest } from '../parse-request.ts';
import type { OperatorRoutes } from '../plugin.ts';
import { filterOf, positionOf, searchQuery, tailQuery, textOfPosition, writtenLine } from './log-query.ts';
import { createTails } from './tail.ts';

/** Returns the routes. Without a store, the log is empty and `is_kept` is false. */
export function logRoutes(store: LogStore | undefined): OperatorRoutes {
  return (server: FastifyInstance) => {
    const tails = createTails(store);
    // Before the server waits for responses that run.
    server.addHook('preClose', async () => tails.close());

    server.get('/logs', async (request) => {
      const { before, limit, ...query } = parseRequest(searchQuery, request.query);
      const found = await store?.search({ filter: filterOf(query), before: positionOf(before), limit });
      return {
        is_kept: store !== undefined,
        lines: found?.lines.map(writtenLine) ?? [],
        next: found?.next ? textOfPosition(found.next) : null,
        searched_to: found?.searchedTo ?? null,
      };
    });

    server.get('/logs/tail', async (request, reply) => {
      const filter = filterOf(parseRequest(tailQuery, request.query));
      if (tails.isFull()) throw failure('too_many_requests');
      reply.hijack();
      reply.raw.writeHead(200, {
        'content-type': 'application/x-ndjson',
        'cache-control': 'no-store',
        'x-request-id': request.id,
      });
      reply.raw.flushHeaders();
      tails.add(reply.raw, filter);
    });
  };
}
