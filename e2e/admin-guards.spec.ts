/**
 * Every route of the admin area refuses every visitor who is no administrator at the required level, in every form in which a page
 * and its data can be requested. The routes are those of the app, so a new route is part of these tests.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pageRoutes from '@greenroom/app/routes';
import { expect, type Page, test } from '@playwright/test';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { isRefused, requestPathsOf, SESSION_COOKIE, type Session, SessionApi } from './support/sessions.ts';

test.describe.configure({ mode: 'default' });

/** Pages that only development serves. */
const NOT_BUILT = ['/admin/ui'];

let site: Instance;
let api: SessionApi;
let routes: { path: string; id: string; hasPage: boolean }[];

test.beforeAll(async () => {
  routes = (await pageRoutes)
    .map(({ path = '', file }) => ({
      path: `/${path}`,
      id: file.replace(/\.tsx?$/, ''),
      hasPage: file.endsWith('.tsx'),
    }))
    .filter(({ path }) => /^\/admin(?:\/|$)/.test(path) && !NOT_BUILT.includes(path));
  // The guard of all pages would refuse most of these visitors before the guard of the admin area.
  site = await startFullInstance({
    GOTRUE_OAUTH_SERVER_ENABLED: 'true',
    GREENROOM_GUARD_EXCLUDE: '/admin*',
    GREENROOM_COOKIE_PREFIX: SESSION_COOKIE,
    LOG_LEVEL: 'info',
  });
  api = await SessionApi.of(site);
});
test.afterAll(() => endFullInstance(site));

/** Returns the visitors who must be refused, by their descriptions. */
async function refusedVisitors(): Promise<Record<string, Session | undefined>> {
  const admin = await api.newAdmin();
  const formerAdmin = await api.newAdmin();
  await api.asService('PUT', `/admin/users/${formerAdmin.user.id}`, { app_metadata: { role: null } });
  const deleted = await api.newAdmin();
  await api.call('DELETE', `/admin/users/${deleted.user.id}`, api.keys.SERVICE_ROLE_KEY);
  const signedOut = await api.newAdmin();
  await api.call('POST', '/logout?scope=global', signedOut.access_token);
  const impersonated = await api.newUser();
  const path = `/admin/users/${impersonated.user.id}`;
  await api.asService('PUT', path, { app_metadata: { role: 'admin' } });
  const impersonation = await api.asService<Session>('POST', `${path}/impersonate`, {});
  return {
    anonymous: undefined,
    user: await api.newUser(),
    'admin at aal1 with a factor': (await api.newAdminWithFactor()).aal1,
    'application of an admin': await api.applicationSession(admin),
    'token with a forged role': withToken(await api.newUser(), (claims) => ({
      ...claims,
      app_metadata: { role: 'admin' },
    })),
    'token without a signature': unsigned(await api.newUser()),
    'former admin whose token has the role': formerAdmin,
    'deleted admin': deleted,
    'admin who signed out': signedOut,
    'admin who is impersonated': impersonation,
  };
}

/** Returns the session with other claims in its token, whose signature is that of the original. */
function withToken(session: Session, change: (claims: object) => object): Session {
  const [header, payload = '', signature] = session.access_token.split('.');
  const claims = change(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object);
  return { ...session, access_token: [header, encode(claims), signature].join('.') };
}

function unsigned(session: Session): Session {
  const [, payload = ''] = session.access_token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const admin = encode({ ...claims, app_metadata: { role: 'admin' } });
  return { ...session, access_token: `${encode({ alg: 'none', typ: 'JWT' })}.${admin}.` };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('every route of the admin area refuses its page, data, forms and streams to all other visitors', async () => {
  test.slow();
  const visitors = await refusedVisitors();
  const failures: string[] = [];
  for (const [name, session] of Object.entries(visitors)) {
    for (const { path, id } of routes) {
      for (const url of requestPathsOf(path, id)) {
        for (const form of [undefined, { intent: 'clear' }]) {
          // A stream that is open to the visitor would not end.
          const response = await api.requestPage(session, url, form, AbortSignal.timeout(30_000));
          const isMethodRefused = form !== undefined && [400, 405].includes(response.status);
          if (!isRefused(response) && !isMethodRefused)
            failures.push(
              `${name}: ${form ? 'POST' : 'GET'} ${url}: ${response.status} ${response.text.slice(0, 100)}`,
            );
        }
      }
    }
  }
  expect(routes.length).toBeGreaterThan(3);
  expect(failures).toEqual([]);
});

test('every route of the admin area without a page refuses all other visitors with a code and a message as JSON', async () => {
  const visitors = await refusedVisitors();
  const resources = routes.filter(({ hasPage }) => !hasPage);
  const codes = new Map<string, Set<string>>();
  for (const [name, session] of Object.entries(visitors)) {
    for (const { path } of resources) {
      const { status, text } = await api.requestPage(session, path, undefined, AbortSignal.timeout(30_000));
      expect(status, `${name}: ${path}`).toBe(403);
      expect(JSON.parse(text), `${name}: ${path}`).toEqual({
        code: expect.stringMatching(/^(no-session|not-admin|second-factor-needed)$/),
        message: expect.stringMatching(/^[A-Z].*\.$/),
      });
      codes.set(name, (codes.get(name) ?? new Set()).add((JSON.parse(text) as { code: string }).code));
    }
  }
  expect(resources.length).toBeGreaterThan(10);
  expect([...(codes.get('anonymous') ?? [])]).toEqual(['no-session']);
  expect([...(codes.get('user') ?? [])]).toEqual(['not-admin']);
  expect([...(codes.get('admin at aal1 with a factor') ?? [])]).toEqual(['second-factor-needed']);
});

test('every page of the admin area opens to an admin, also at aal2', async () => {
  const { aal2 } = await api.newAdminWithFactor();
  for (const session of [await api.newAdmin(), aal2]) {
    for (const { path, id } of routes.filter((route) => !route.path.includes('/', '/admin/'.length))) {
      for (const url of requestPathsOf(path, id)) {
        const response = await api.requestPage(session, url);
        expect(response.status, url).toBe(200);
        expect(response.text, url).not.toContain('not-admin');
      }
    }
  }
});

test('no response, script, cookie or log of the admin area contains a service key', async ({ browser }) => {
  test.slow();
  const admin = await api.newAdmin();
  const context = await browser.newContext();
  const value = `base64-${Buffer.from(JSON.stringify(admin)).toString('base64url')}`;
  await context.addCookies([{ name: SESSION_COOKIE, value, url: site.url }]);
  const page = await context.newPage();
  const traffic = recordTraffic(page);
  for (const { path } of routes.filter((route) => !route.path.includes('/', '/admin/'.length))) {
    await page.goto(site.url + path);
    await page.waitForLoadState('load');
    await expect(page.getByRole('heading').first()).toBeVisible();
  }
  const texts = [
    ...(await traffic()),
    JSON.stringify(await context.cookies()),
    site.output(),
    ...(await logFiles()),
  ];
  await context.close();
  const secrets = ['SERVICE_ROLE_KEY', 'SECRET_KEY', 'JWT_SECRET'].map((name) => api.keys[name] ?? '');
  expect(texts.length).toBeGreaterThan(routes.length);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(texts.filter((text) => text.includes(secret)).map((text) => text.slice(0, 200))).toEqual([]);
  }
});

/** Records the URLs, headers and bodies of all responses. Returns a function that resolves with them. */
function recordTraffic(page: Page): () => Promise<string[]> {
  const texts: Promise<string>[] = [];
  page.on('response', (response) => {
    const body = response.text().catch(() => '');
    const headers = response.allHeaders().catch(() => ({}));
    texts.push(Promise.all([headers, body]).then((parts) => `${response.url()} ${JSON.stringify(parts)}`));
  });
  return () => Promise.all(texts);
}

/** Returns the content of the files in which the instance keeps its log. */
async function logFiles(): Promise<string[]> {
  const folder = join(site.folder, 'logs');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
}
