/** Compares requests to a server with lazy schemas with the same requests to a server with Fastify's defaults. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createLazySchemas } from './lazy-schemas.ts';

const SCHEMA = {
  body: {
    type: 'object',
    properties: { size: { type: 'integer', minimum: 1 }, tags: { type: 'array', items: { type: 'string' } } },
    required: ['size'],
    additionalProperties: false,
  },
  querystring: {
    type: 'object',
    properties: { limit: { type: 'integer', default: 10 }, only: { type: 'string', enum: ['a', 'b'] } },
  },
  params: { type: 'object', properties: { id: { type: 'integer' } } },
  headers: { type: 'object', properties: { authorization: { type: 'string' } }, required: ['authorization'] },
} as const;

const AUTHORIZED = { authorization: 'Bearer t', 'content-type': 'application/json' };
const VALID = { path: '/things/7', headers: AUTHORIZED, body: { size: 1 } };

const REQUESTS: [string, { path: string; headers: Record<string, string>; body: unknown }][] = [
  ['a valid request, with defaults', VALID],
  [
    'values that are converted',
    { ...VALID, path: '/things/7?limit=5&only=a', body: { size: '3', tags: 'x' } },
  ],
  ['properties that are removed', { ...VALID, body: { size: 2, other: true } }],
  ['an invalid parameter', { ...VALID, path: '/things/seven' }],
  ['a body without a required property', { ...VALID, body: {} }],
  ['a body that is not an object', { ...VALID, body: 'text' }],
  ['an invalid value in the query', { ...VALID, path: '/things/7?only=c' }],
  ['a missing header', { ...VALID, headers: { 'content-type': 'application/json' } }],
  ['several errors', { path: '/things/seven?limit=x', headers: {}, body: {} }],
];

const servers: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Starts a server and returns a function that sends a request to it and returns status and body. */
async function start(schemas?: ReturnType<typeof createLazySchemas>) {
  const server: FastifyInstance = Fastify(schemas ? { schemaController: schemas.schemaController } : {});
  servers.push(server);
  schemas?.addTo(server);
  await server.register(async (scope) => {
    scope.post('/things/:id', { schema: SCHEMA }, async ({ body, query, params }) => ({
      body,
      query,
      params,
    }));
    // A body that is converted itself, not one of its properties.
    scope.post('/number', { schema: { body: { type: 'integer' } } }, async ({ body }) => ({ body }));
    scope.get('/open', async () => ({ isOpen: true }));
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return async ({ path, headers, body }: (typeof REQUESTS)[number][1]) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
}

describe('lazy schemas', () => {
  it.each(REQUESTS)(
    'respond to %s like the defaults, to the first request and to later ones',
    async (_name, sent) => {
      const [lazy, eager] = [await start(createLazySchemas()), await start()];
      const expected = await eager(sent);
      expect(await lazy(sent)).toEqual(expected);
      expect(await lazy(sent)).toEqual(expected);
    },
  );

  it('convert a whole body like the defaults', async () => {
    const [lazy, eager] = [await start(createLazySchemas()), await start()];
    const sent = { ...VALID, path: '/number', body: '5' };
    expect(await eager(sent)).toEqual({ status: 200, text: '{"body":5}' });
    expect(await lazy(sent)).toEqual({ status: 200, text: '{"body":5}' });
  });

  it('give each of several concurrent first requests its own errors', async () => {
    const [lazy, eager] = [await start(createLazySchemas()), await start()];
    const expected = await Promise.all(REQUESTS.map(([, sent]) => eager(sent)));
    expect(await Promise.all(REQUESTS.map(([, sent]) => lazy(sent)))).toEqual(expected);
  });

  it('fail only the request for which Ajv could not be loaded', async () => {
    let attempts = 0;
    const schemas = createLazySchemas(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('cannot read the file');
      return import('@fastify/ajv-compiler');
    });
    const send = await start(schemas);
    expect(await send(VALID)).toMatchObject({ status: 500 });
    expect(await send(VALID)).toMatchObject({ status: 200 });
    expect(await send(VALID)).toMatchObject({ status: 200 });
    expect(attempts).toBe(2);
  });

  it('refuse schemas of responses when the server starts', async () => {
    const schemas = createLazySchemas();
    const server: FastifyInstance = Fastify({ schemaController: schemas.schemaController });
    servers.push(server);
    server.get('/', { schema: { response: { 200: { type: 'object' } } } }, async () => ({}));
    await expect(server.ready()).rejects.toThrow('schemas of responses are not supported');
  });
});

/** A process that starts a server, and prints which of Ajv's modules it has loaded before and after a request. */
const PROCESS = `
  import { createRequire } from 'node:module';
  import { createHttpServer, createMetrics } from '@greenroom/http';
  import { createLogger } from '@greenroom/log';
  const loaded = () => Object.keys(createRequire(import.meta.url).cache)
    .some((file) => /node_modules.ajv./.test(file));
  const server = createHttpServer({ log: createLogger('silent'), metrics: createMetrics(), trustedProxies: [] });
  server.get('/', { schema: { querystring: { type: 'object' } } }, async () => ({}));
  server.get('/open', async () => ({}));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  await fetch(url + '/open');
  const before = loaded();
  await fetch(url);
  console.log(JSON.stringify({ before, after: loaded() }));
  await server.close();
`;

it('a server loads Ajv with the first request to a route with a schema', async () => {
  const args = ['--input-type=module', '--eval', PROCESS];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual({ before: false, after: true });
});
