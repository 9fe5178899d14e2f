/** Requests of pages from elsewhere, behind the rules that stand in front of the service. */
import { registerApiScope } from '@greenroom/http';
import { listenForTest, type TestServer } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corsRules } from '../cors-rules.ts';
import { dataPlugin } from '../plugin.ts';
import type { DataServer } from '../testing/data-server.ts';
import { openHarbour } from './testing/harbour.ts';

const PAGE = 'http://page.example';
const OTHER_PAGE = 'http://other.example';
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,prefer',
};

interface Served {
  harbour: DataServer;
  scope: TestServer;
}

/** As the platform serves it, with no keys. */
async function serve(allowedOrigins?: string): Promise<Served> {
  const harbour = await openHarbour({
    ...(allowedOrigins !== undefined && { PGRST_SERVER_CORS_ALLOWED_ORIGINS: allowedOrigins }),
  });
  const { instance } = harbour;
  const scope = await listenForTest((server) =>
    registerApiScope(server, {
      prefix: '/rest/v1',
      service: dataPlugin,
      serviceOptions: { instance },
      credentials: { readApiKey: async () => undefined, requireApiKey: false },
      openPaths: [],
      cors: corsRules(instance),
    }),
  );
  return { harbour, scope };
}

async function close({ harbour, scope }: Served): Promise<void> {
  await scope.close();
  await harbour.close();
}

const request = async ({ scope }: Served, path: string, method: string, headers: Record<string, string>) => {
  const response = await fetch(`${scope.url}/rest/v1${path}`, { method, headers });
  return {
    status: response.status,
    text: await response.text(),
    header: (name: string) => response.headers.get(name),
  };
};

describe('CORS for all origins', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => close(served));

  it.each(['/', '/badges', '/rpc/needs', '/nothing'])(
    'allows all methods and the requested headers in a preflight of %s',
    async (path) => {
      const response = await request(served, path, 'OPTIONS', { origin: PAGE, ...PREFLIGHT });
      expect([response.status, response.text]).toEqual([200, '']);
      expect(response.header('access-control-allow-origin')).toBe('*');
      expect(response.header('access-control-allow-credentials')).toBeNull();
      expect(response.header('access-control-max-age')).toBe('86400');
      expect(response.header('access-control-allow-methods')).toBe(
        'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
      );
      expect(response.header('access-control-allow-headers')).toBe(
        'Authorization, content-type, prefer, Accept, Accept-Language, Content-Language',
      );
    },
  );

  it('exposes the response headers of a read', async () => {
    const response = await request(served, '/badges', 'GET', { origin: PAGE });
    expect([response.status, response.header('access-control-allow-origin')]).toEqual([200, '*']);
    expect(response.header('access-control-expose-headers')).toBe(
      'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit',
    );
    expect(response.header('vary')).toBe('Accept, Prefer, Range');
  });

  it('allows reading an error response', async () => {
    const response = await request(served, '/nothing', 'GET', { origin: PAGE });
    expect([response.status, response.header('access-control-allow-origin')]).toEqual([404, '*']);
  });

  it.each<Record<string, string>>([
    { origin: PAGE, accept: 'text/csv, */*; q=0.01' },
    { accept: 'application/json' },
  ])('returns the Allow header to OPTIONS without a preflight: %j', async (headers) => {
    const response = await request(served, '/badges', 'OPTIONS', headers);
    expect([response.status, response.text]).toEqual([200, '']);
    expect(response.header('allow')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(response.header('access-control-allow-origin')).toBe('*');
  });
});

describe('CORS for configured origins', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(`${PAGE}, ${OTHER_PAGE}`);
  });
  afterAll(() => close(served));

  it.each([PAGE, OTHER_PAGE])('allows requests with credentials from %s', async (origin) => {
    const preflight = await request(served, '/badges', 'OPTIONS', { origin, ...PREFLIGHT });
    expect(preflight.status).toBe(200);
    expect(preflight.header('access-control-allow-origin')).toBe(origin);
    expect(preflight.header('access-control-allow-credentials')).toBe('true');
    const response = await request(served, '/badges', 'GET', { origin });
    expect(response.status).toBe(200);
    expect(response.header('access-control-allow-origin')).toBe(origin);
    expect(response.header('access-control-allow-credentials')).toBe('true');
    expect(response.header('vary')).toBe('Accept, Prefer, Range, Origin');
  });

  it('omits the CORS headers for other origins', async () => {
    for (const method of ['OPTIONS', 'GET']) {
      const headers = { origin: 'http://stranger.example', ...(method === 'OPTIONS' && PREFLIGHT) };
      const response = await request(served, '/badges', method, headers);
      expect(response.header('access-control-allow-origin')).toBeNull();
    }
  });
});
