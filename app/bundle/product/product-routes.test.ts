import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { index, type RouteConfigEntry, route } from '@react-router/dev/routes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { routeIdOf } from './product-folder.ts';
import { withProductRoutes } from './product-routes.ts';

const OWN = [
  index('routes/index.tsx'),
  route('login', 'routes/login.tsx'),
  route('*', 'routes/not-found.tsx'),
];

let product: string;

beforeEach(async () => {
  // Characters that have a meaning in patterns.
  product = await mkdtemp(join(tmpdir(), 'greenroom [a] (b) {c} '));
  vi.stubEnv('GREENROOM_PRODUCT_APP', join(product, 'app'));
  // The router's own configuration sets it.
  vi.stubGlobal('__reactRouterAppDirectory', resolve(import.meta.dirname, '../..'));
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await rm(product, { recursive: true });
});

async function routesOf(...names: string[]): Promise<RouteConfigEntry[]> {
  for (const name of names) {
    const path = join(product, 'app/routes', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
  }
  return withProductRoutes(OWN);
}

function flatten(entries: readonly RouteConfigEntry[], parent = ''): [id: string, path: string][] {
  return entries.flatMap(({ id, file, path, children = [] }) => {
    const url = [parent, path ?? ''].filter(Boolean).join('/');
    return [[id ?? file.replace(/\.tsx?$/, ''), url], ...flatten(children, url)] as [string, string][];
  });
}

describe('withProductRoutes', () => {
  it('adds files, and folders with a route', async () => {
    const routes = await routesOf('items.tsx', 'items.$id.tsx', 'todos/index.tsx', 'done/route.tsx');
    expect(new Map(flatten(routes))).toEqual(
      new Map([
        ['product/items', 'items'],
        ['product/items.$id', 'items/:id'],
        ['product/todos', 'todos'],
        ['product/done', 'done'],
        ['routes/index', ''],
        ['routes/login', 'login'],
        ['routes/not-found', '*'],
      ]),
    );
  });

  it('replaces built-in routes by path and by name', async () => {
    const routes = await routesOf('_index.tsx', 'login.tsx', '$.ts');
    expect(routes.map(({ file }) => file.startsWith('routes/'))).toEqual([false, false, false]);
    expect(flatten(routes).map(([id]) => id)).toEqual(
      expect.arrayContaining(['routes/index', 'routes/login', 'routes/not-found']),
    );
  });

  it.each([
    'items.test.tsx',
    'items.test.ts',
    'items.server.ts',
    'items.module.css',
    'notes.md',
    '.DS_Store',
    'items/list.tsx',
  ])('adds no route for %s', async (name) => {
    expect(flatten(await routesOf(name)).map(([id]) => id)).toEqual([
      'routes/index',
      'routes/login',
      'routes/not-found',
    ]);
  });

  it.each([
    ['auth.v1.hello.tsx', 'auth/v1/hello', '/auth/v1'],
    ['rest.tsx', undefined, undefined],
    ['rest.V1.tsx', 'rest/V1', '/rest/v1'],
    ['health.tsx', 'health', '/health'],
    ['health.live.tsx', 'health/live', '/health'],
    ['healthy.tsx', undefined, undefined],
    ['assets.$.tsx', 'assets/*', '/assets'],
    ['api._icons.tsx', undefined, undefined],
    ['[feed.data].ts', 'feed.data', '.data'],
    ['a.[_payload.json].ts', 'a/_payload.json', '/_payload.json'],
  ])('refuses reserved paths: %s', async (name, url, reserved) => {
    const routes = routesOf(name);
    if (url === undefined) await expect(routes).resolves.toHaveLength(OWN.length + 1);
    else
      await expect(routes).rejects.toThrow(
        `app/routes/${name}: the path /${url} is not allowed, because ${reserved} is reserved.`,
      );
  });

  it.each([
    [['_index.tsx', 'index.tsx'], 'app/routes/index.tsx: app/routes/_index.tsx has the same path or name.'],
    [['_a.items.tsx', '_b.items.tsx'], 'another file of app/routes has the same path or name.'],
    [
      ['items.ts', 'items.tsx'],
      'app/routes/items.tsx: another file of app/routes has the same path or name.',
    ],
    [['todos/index.tsx', 'todos/route.tsx'], 'app/routes/todos/index.tsx: another file of app/routes'],
  ])('refuses two files for one route: %s', async (names, message) => {
    await expect(routesOf(...names)).rejects.toThrow(message);
  });

  it('shares the ids by the files to which links of folders lead', async () => {
    await routesOf('items.tsx');
    const linked = join(product, 'linked');
    await symlink(join(product, 'app'), linked);
    vi.stubEnv('GREENROOM_PRODUCT_APP', linked);
    await withProductRoutes(OWN);
    expect(routeIdOf(await realpath(join(product, 'app/routes/items.tsx')))).toBe('product/items');
  });

  it('refuses symbolic links, which the router would leave out', async () => {
    await routesOf('items.tsx');
    await symlink(join(product, 'app/routes/items.tsx'), join(product, 'app/routes/things.tsx'));
    await expect(withProductRoutes(OWN)).rejects.toThrow('app/routes/things.tsx is a symbolic link.');
  });
});
