/** Compares docs/security-model.md with the existing routes: each route has a row, and each row has a route. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pageRoutes from '@greenroom/app/routes';
import { createMailApi, openMails } from '@greenroom/mailbox/testing';
import { createTestDatabase, freePort, TEST_JWT_SECRET, type TestDatabase } from '@greenroom/testing';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { startGreenroom } from './start.ts';

const DOCUMENT = new URL('../docs/security-model.md', import.meta.url);
const DEMO_ROUTES = new URL('../demo/app/routes/', import.meta.url);
/** Columns of every table of routes. */
const HEADER = '| Route | Caller | Secret it accepts | Cost | Bounds |';

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'greenroom-routes-'));
  await chmod(folder, 0o711);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the routes of an instance without pages, such as `GET /auth/v1/user`. */
async function servedRoutes(): Promise<string[]> {
  const routes = new Set<string>();
  const stop = watchRoutes(routes);
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: folder,
    DATABASE_URL: database.url,
    // The logins of services belong to the whole cluster, and their passwords derive from the secret.
    GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
    LOG_LEVEL: 'silent',
  });
  const instance = await startGreenroom({ config, pages: 'none' });
  stop();
  await instance.close();
  return [...routes].filter((route) => !isPreflightOrHead(route, routes));
}

/** Returns the routes of the local mailbox. */
async function mailboxRoutes(): Promise<string[]> {
  const routes = new Set<string>();
  const stop = watchRoutes(routes);
  const api = await createMailApi({
    mails: openMails(database.admin, { name: '', address: 'a@example.org' }),
    pageUrl: 'http://localhost/',
    version: '1',
    onError: () => undefined,
  });
  stop();
  await api.close();
  return [...routes].filter((route) => !isPreflightOrHead(route, routes));
}

/** Adds the routes of all servers that are created from now on; returns the function that ends this. */
function watchRoutes(routes: Set<string>): () => void {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
      if (config?.onlyRejects) return;
      for (const each of [method].flat()) routes.add(`${each} ${withoutSlash(url)}`);
    });
  };
  subscribe('fastify.initialization', watch);
  return () => void unsubscribe('fastify.initialization', watch);
}

function withoutSlash(url: string): string {
  return url === '/' ? url : url.replace(/\/$/, '');
}

/** Preflights are handled in front of a service, and HEAD is a GET without its body. */
function isPreflightOrHead(route: string, routes: ReadonlySet<string>): boolean {
  const [method, path = ''] = route.split(' ');
  return (method === 'OPTIONS' && /\w\*$/.test(path)) || (method === 'HEAD' && routes.has(`GET ${path}`));
}

/** Sections of servers and pages other than the services. */
const OTHER_SECTIONS = ['Pages', 'Local mailbox'];

/** Returns the routes of one section's table, by default of all services: `GET POST /path` is two of them. */
async function documentedRoutes(heading?: 'Pages' | 'Local mailbox'): Promise<string[]> {
  const text = await readFile(DOCUMENT, 'utf8');
  const sections = text.split(/^## /m).filter((section) => section.includes(HEADER));
  const rows = sections
    .filter((section) => OTHER_SECTIONS.find((each) => section.startsWith(each)) === heading)
    .flatMap((section) => [...section.matchAll(/^\| `([A-Z ]+) (\/[^`]*)` \|/gm)]);
  return rows.flatMap(([, methods = '', path = '']) =>
    methods.split(' ').map((method) => `${method} ${path}`),
  );
}

it('the document has one row for each route of the services, and no other', async () => {
  const documented = await documentedRoutes();
  expect(documented.toSorted()).toEqual((await servedRoutes()).toSorted());
});

it('the document has one row for each route of the local mailbox, and no other', async () => {
  const documented = await documentedRoutes('Local mailbox');
  expect(documented.toSorted()).toEqual((await mailboxRoutes()).toSorted());
});

it('the document has one row for each page, with those of the demo, and no other', async () => {
  const own = (await pageRoutes).map(({ path }) => `/${path ?? ''}`);
  const ofDemo = (await readdir(DEMO_ROUTES)).map((name) => `/${name.replace(/^_index|\.tsx?$/g, '')}`);
  const pages = [...own, ...ofDemo];
  const documented = (await documentedRoutes('Pages')).map((route) => route.split(' ')[1]);
  expect(new Set(documented)).toEqual(new Set(pages));
});

it('the document states for each route its callers, its cost and its limits', async () => {
  const text = await readFile(DOCUMENT, 'utf8');
  const rows = text.split('\n').filter((line) => /^\| `[A-Z ]+ \//.test(line));
  const incomplete = rows.filter((row) =>
    row
      .split('|')
      .slice(2, -1)
      .some((cell) => cell.trim() === ''),
  );
  expect(rows.length).toBeGreaterThan(100);
  expect(incomplete).toEqual([]);
});
