/** Deployments: the app below a sub-path, with its assets on another origin, and behind a reverse proxy. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@greenroom/testing/free-port';
import { expect, type Page, test } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { type Instance, removeDataFolder, runCli, startInstance } from './support/instance.ts';
import { chooseFromMenu, newPerson, signUpByForm, submitCredentials } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';

test.describe.configure({ mode: 'serial' });

let instance: Instance | undefined;

async function start(env: Record<string, string>): Promise<Instance> {
  instance = await startInstance(await newPreparedFolder(), env);
  return instance;
}

test.afterEach(async () => {
  await instance?.stop();
  if (instance) await removeDataFolder(instance.folder);
  instance = undefined;
});

/** Matches the home URL with and without a final slash: the router omits it, and the server accepts both. */
const homeUrl = (site: string) => new RegExp(`^${site}/?$`);

/** Records the requests of a page and its console errors, warnings and uncaught exceptions. */
function recordRequests(page: Page) {
  const addresses: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { addresses, problems };
}

test('serves and requests everything below the sub-path', async ({ page }) => {
  const { url, folder } = await start({ GREENROOM_BASE_URL: '/app' });
  const site = `${url}/app`;
  const outsideBase = await fetch(`${url}/login`);
  expect([outsideBase.status, await outsideBase.text()]).toEqual([404, 'Not found\n']);
  const root = await fetch(`${url}/?code=1`, { redirect: 'manual' });
  expect(root.headers.get('location')).toBe('/app/?code=1');
  const recorded = recordRequests(page);

  await page.goto(url);
  await expect(page).toHaveURL(`${site}/login`);
  const person = await signUpByForm(page, site);
  await expect(page).toHaveURL(homeUrl(site));

  // The requested page opens after the sign-in.
  await chooseFromMenu(page, 'Sign out');
  await expect(page).toHaveURL(`${site}/login`);
  await page.goto(`${site}/admin/users?page=2`);
  await expect(page).toHaveURL(`${site}/login`);
  await submitCredentials(page, person);
  await expect(page).toHaveURL(`${site}/admin/users?page=2`);

  await page.goto(`${site}/nowhere?x=1`);
  await expect(page.getByText('Page not found: /nowhere?x=1')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL(homeUrl(site));

  const outside = recorded.addresses.filter(
    (address) =>
      !/favicon/.test(address) && !/^\/app(\/|$)/.test(new URL(address).pathname) && address !== `${url}/`,
  );
  expect(outside).toEqual([]);
  expect(recorded.problems.filter((problem) => !/40[34]/.test(problem))).toEqual([]);

  const { stdout } = await runCli(['status', '-o', 'json'], folder);
  const client = createClient(site, (JSON.parse(stdout) as Record<string, string>).ANON_KEY ?? '');
  const { error } = await client.auth.signUp(newPerson());
  expect(error).toBeNull();
});

test('applies redirect rules to documents and client navigations', async ({ page }) => {
  const { url } = await start({
    GREENROOM_BASE_URL: '/app/',
    GREENROOM_REDIRECTS: '/old*=/login?mode=sign-up,/away=https://example.org/x',
  });
  const response = await fetch(`${url}/app/old/page`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([307, '/app/login?mode=sign-up']);
  const external = await fetch(`${url}/app/away`, { redirect: 'manual' });
  expect(external.headers.get('location')).toBe('https://example.org/x');
  await page.goto(`${url}/app/login`);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => window.__reactRouterDataRouter.navigate('/older'));
  await expect(page).toHaveURL(`${url}/app/login?mode=sign-up`);
});

test('works below a sub-path without JavaScript', async ({ browser }) => {
  const { url } = await start({ GREENROOM_BASE_URL: '/deep/er/' });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await signUpByForm(page, `${url}/deep/er`);
  await expect(page).toHaveURL(homeUrl(`${url}/deep/er`));
  await context.close();
});

test('loads assets from a CDN', async ({ page }) => {
  const port = await freePort();
  const cdn = `http://localhost:${port}`;
  const { url } = await start({
    PORT: String(port),
    GREENROOM_BASE_URL: '/app/',
    GREENROOM_BUILD_ASSETS_DIR: '/_files/',
    GREENROOM_CDN_URL: `${cdn}/app`,
  });
  const recorded = recordRequests(page);
  await signUpByForm(page, `${url}/app`);
  await page
    .getByRole('link', { name: /Admin/ })
    .or(page.getByRole('button', { name: /^Account of/ }))
    .first()
    .focus();
  await page.waitForLoadState('networkidle');

  const fromCdn = recorded.addresses.filter((address) => address.startsWith(`${cdn}/app/_files/`));
  expect(fromCdn.some((address) => address.endsWith('.css'))).toBe(true);
  expect(fromCdn.filter((address) => address.endsWith('.js')).length).toBeGreaterThan(5);
  // The route manifest contains URLs of the site, so the site serves it, not the CDN.
  const ownScripts = recorded.addresses.filter(
    (address) => address.startsWith(url) && address.endsWith('.js'),
  );
  expect(ownScripts).toEqual([expect.stringMatching(/\/app\/_files\/manifest-[0-9a-f]{8}\.js$/)]);
  expect(recorded.problems).toEqual([]);
});

test('injects its configuration into the page', async ({ page }) => {
  const { url } = await start({ GREENROOM_BASE_URL: '/app/', GREENROOM_BUILD_ASSETS_DIR: '/_files/' });
  await page.goto(`${url}/app/login`);
  const config = JSON.parse((await page.locator('#page-config').textContent()) ?? '');
  expect(config).toMatchObject({ baseURL: '/app/', cdnURL: '', buildAssetsDir: '/_files/' });
  const latest = await (await fetch(`${url}/app/_files/builds/latest.json`)).json();
  expect(latest).toEqual({ id: config.buildId, timestamp: expect.any(Number) });
  expect(JSON.stringify(config)).not.toContain('service_role');
});

test('uses the forwarded scheme and host of a trusted proxy', async () => {
  const { url } = await start({ GREENROOM_TRUST_PROXY: '127.0.0.1' });
  const proxy = await startProxy(url, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example' });
  try {
    const { port } = proxy.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/login?mode=sign-up`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://app.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(newPerson() as never),
    });
    expect(response.status).toBe(302);
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    const cookies = response.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure/);
  } finally {
    proxy.close();
  }
});

test('ignores the forwarded scheme of an untrusted client', async () => {
  const { url } = await start({});
  const response = await fetch(`${url}/login`, { headers: { 'x-forwarded-proto': 'https' } });
  expect(response.headers.get('strict-transport-security')).toBeNull();
});

/** Starts a reverse proxy that adds headers to each request. */
async function startProxy(target: string, headers: Record<string, string>): Promise<Server> {
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const options = { method: incoming.method, headers: { ...incoming.headers, ...headers } };
    const forwarded = send(target + incoming.url, options as never, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  };
  const proxy = createServer(forward);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
