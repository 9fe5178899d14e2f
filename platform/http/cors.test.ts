import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { type CorsRules, registerCors } from './cors.ts';

const ORIGIN = 'https://app.example';

async function request(
  rules: CorsRules | undefined,
  { method = 'GET', headers = {} }: { method?: 'GET' | 'OPTIONS'; headers?: Record<string, string> } = {},
) {
  const server = Fastify();
  const scope = async (service: FastifyInstance) => {
    registerCors(service, rules);
    service.all('/*', async () => 'own');
  };
  await server.register(scope, { prefix: '/service' });
  const { statusCode, headers: answered, body } = await server.inject({ method, url: '/service/x', headers });
  await server.close();
  const accessControl = (name: string) => answered[`access-control-${name}`];
  return { statusCode, body, accessControl, vary: answered.vary };
}

const only = (...origins: string[]): CorsRules => ({ allowedOrigins: () => origins, handlesOptions: false });

it('allows all origins by default, without a Vary header', async () => {
  const { accessControl, vary, body } = await request(undefined, { headers: { origin: ORIGIN } });
  expect([accessControl('allow-origin'), accessControl('allow-credentials'), vary]).toEqual([
    '*',
    undefined,
    undefined,
  ]);
  expect(accessControl('expose-headers')).toContain('content-range');
  expect(body).toBe('own');
});

it.each([
  [[ORIGIN], ORIGIN],
  [['https://other.example', ORIGIN], ORIGIN],
  [['https://other.example'], undefined],
  [[`${ORIGIN}.evil.example`], undefined],
  [[], undefined],
  [['*'], '*'],
])('allows listed origins: %j', async (origins, allowed) => {
  const { accessControl, vary } = await request(only(...origins), { headers: { origin: ORIGIN } });
  expect([accessControl('allow-origin'), accessControl('allow-credentials'), vary]).toEqual([
    allowed,
    'true',
    'Origin',
  ]);
});

it('exposes headers of a service in addition to those of all services', async () => {
  const { accessControl } = await request({ ...only(ORIGIN), exposedHeaders: ['tus-version'] });
  expect(accessControl('expose-headers')).toMatch(/content-range.*, tus-version$/);
});

it('allows the headers that a preflight requests', async () => {
  const headers = { origin: ORIGIN, 'access-control-request-headers': 'x-one,  x-two' };
  const { statusCode, body, accessControl } = await request(undefined, { method: 'OPTIONS', headers });
  expect([statusCode, body]).toEqual([204, '']);
  expect(accessControl('allow-methods')).toContain('PATCH');
  expect(accessControl('allow-headers')).toBe('x-one, x-two');
  expect(accessControl('max-age')).toBe('86400');
});

it('uses the lists of a service that defines its own', async () => {
  const lists: CorsRules['lists'] = { exposed: ['Date'], allowed: (requested) => ['X-Own', ...requested] };
  const rules: CorsRules = { ...only(ORIGIN), lists };
  const headers = { origin: ORIGIN, 'access-control-request-headers': 'x-one,x-two' };
  const { accessControl } = await request(rules, { method: 'OPTIONS', headers });
  expect([accessControl('expose-headers'), accessControl('allow-headers')]).toEqual([
    'Date',
    'X-Own, x-one, x-two',
  ]);
  const withoutHeaders = await request(rules, { method: 'OPTIONS' });
  expect(withoutHeaders.accessControl('allow-headers')).toContain('apikey');
});

it('allows the headers of the official clients if a preflight requests none', async () => {
  const { accessControl } = await request(undefined, { method: 'OPTIONS' });
  expect(accessControl('allow-headers')).toContain('apikey');
});

it('leaves OPTIONS to a service that handles it, except for preflights', async () => {
  const rules: CorsRules = { allowedOrigins: () => undefined, handlesOptions: true };
  expect(await request(rules, { method: 'OPTIONS' })).toMatchObject({ statusCode: 200, body: 'own' });
  const headers = { 'access-control-request-method': 'POST' };
  expect(await request(rules, { method: 'OPTIONS', headers })).toMatchObject({ statusCode: 200, body: '' });
});
