/** `_payload.json`: the data of a page, which the browser fetches on client navigation. */
import { expect, type Page, test } from '@playwright/test';
import {
  chooseFromMenu,
  createAccount,
  newPerson,
  signOutByRequest,
  signUp,
  submitCredentials,
} from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';

/** Records the data requests of a page, in order, with a placeholder for the build id. */
function recordDataRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('/_payload.json') || pathname.endsWith('.data')) {
      requests.push(`${request.method()} ${pathname}${search.replace(/[0-9a-f]{16}$/, 'BUILD')}`);
    }
  });
  return requests;
}

/** Returns the loader data in the browser, for routes that have a loader. */
const loaderData = (page: Page) =>
  page.evaluate(() => {
    const { loaderData, matches } = window.__reactRouterDataRouter.state;
    const withLoader = matches.filter(
      ({ route }) => window.__reactRouterManifest.routes[route.id]?.hasLoader,
    );
    return Object.fromEntries(withLoader.map(({ route }) => [route.id, loaderData[route.id]]));
  });
const readJson = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(baseUrl() + path, init);
  return { response, body: await response.json() };
};

test('contains the data that the server rendered', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  const config = JSON.parse((await page.locator('#page-config').textContent()) ?? '');
  await expect(page.getByLabel('Email address')).toBeVisible();
  await page.waitForFunction(() => window.__reactRouterDataRouter?.state.initialized);
  const { response, body } = await readJson('/login/_payload.json', { headers: { 'accept-language': 'en' } });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(body).toEqual({
    data: await loaderData(page),
    state: { language: 'en' },
    path: '/login',
    serverRendered: true,
    buildId: config.buildId,
  });
});

test('requires a session for a private page and is not cacheable', async ({ page }) => {
  await signUp(page);
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const { response, body } = await readJson('/_payload.json', {
    headers: { cookie, 'accept-language': 'en' },
  });
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(body.path).toBe('/');
  await page.goto(baseUrl());
  await page.waitForFunction(() => window.__reactRouterDataRouter?.state.initialized);
  // Ignores values that change between the two requests: other tests write notes, and the time advances.
  const withoutChangingValues = (data: unknown) =>
    JSON.parse(JSON.stringify(data), (key, value) => (['notes', 'now'].includes(key) ? typeof value : value));
  expect(withoutChangingValues(body.data)).toEqual(withoutChangingValues(await loaderData(page)));
  expect(JSON.stringify(body)).not.toMatch(/access_token|refresh_token/);

  const signedOut = await fetch(`${baseUrl()}/_payload.json`, { redirect: 'manual' });
  expect(signedOut.status).toBe(302);
  expect(signedOut.headers.get('location')).toMatch(/^\/login\/_payload\.json\?[0-9a-f]{16}$/);
  expect(signedOut.headers.get('cache-control')).toMatch(/^private/);
});

test('is the only data request of a navigation', async ({ page }) => {
  await signUp(page);
  await page.waitForLoadState('networkidle');
  const requests = recordDataRequests(page);
  await page.evaluate(() => window.__reactRouterDataRouter.navigate('/admin?page=1'));
  await expect(page).toHaveURL(/\/admin/);
  expect(requests).toEqual(['GET /admin/_payload.json?page=1&BUILD']);
});

test('follows the redirects of the page', async ({ page }) => {
  await signUp(page);
  const requests = recordDataRequests(page);
  await page.evaluate(() => window.__reactRouterDataRouter.navigate('/login'));
  await expect(page).toHaveURL(`${baseUrl()}/`);
  expect(requests.slice(0, 2)).toEqual(['GET /login/_payload.json?BUILD', 'GET /_payload.json?BUILD']);
});

test('is prefetched for a hovered link and used by its navigation', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  const requests = recordDataRequests(page);
  const link = page.getByRole('link', { name: 'Create account' });
  await link.hover();
  await expect.poll(() => requests).toEqual(['GET /login/_payload.json?mode=sign-up&BUILD']);
  await link.click();
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  expect(requests).toHaveLength(1);
});

test('falls back to the data request of the router if it fails', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  await page.route('**/_payload.json*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.getByRole('link', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
});

test('reports a failed page in the same request', async ({ page }) => {
  await signUp(page);
  await page.waitForLoadState('networkidle');
  const requests = recordDataRequests(page);
  await page.evaluate(() => window.__reactRouterDataRouter.navigate('/nowhere?x=1'));
  await expect(page.getByText('Page not found: /nowhere?x=1')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
  expect(requests).toEqual(['GET /nowhere/_payload.json?x=1&BUILD']);
});

test('does not show the data of one user to the next one', async ({ page }) => {
  const first = await signUp(page);
  await chooseFromMenu(page, 'Sign out');
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  const second = await signUp(page);
  await expect(page.getByRole('main')).toContainText(second.email);
  await expect(page.getByText(first.email)).toHaveCount(0);
});

for (const [path, status] of [
  ['/nowhere/_payload.json', 404],
  ['/admin/../nowhere/_payload.json?x', 404],
  ['/%ff/_payload.json', 400],
] as const) {
  test(`responds to ${path} with ${status} as JSON`, async () => {
    const { response, body } = await readJson(path);
    expect(response.status).toBe(status);
    expect(body).toMatchObject({ error: true, status });
  });
}

test('rejects POST', async () => {
  const { response } = await readJson('/login/_payload.json', {
    method: 'POST',
    body: new URLSearchParams({ email: 'a' }),
  });
  expect(response.status).toBe(405);
});

test('does not use data prefetched for one user after another user signs in in a second tab', async ({
  page,
  context,
}) => {
  await createAccount(page);
  await page.goto(`${baseUrl()}/account`);
  await page.waitForLoadState('networkidle');
  await page.getByRole('link', { name: 'Home', exact: true }).first().hover();
  await page.waitForResponse((response) => response.url().includes('_payload.json'));
  const other = await context.newPage();
  await signOutByRequest(other);
  const second = await signUp(other);
  await expect(page.getByText(`Current: ${second.email}`)).toBeVisible();
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await expect(page.getByText(`Signed in as ${second.email}`)).toBeVisible();
});

test('does not save a prefetched path as the requested page', async ({ page }) => {
  await page.goto(`${baseUrl()}/account`);
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  const prefetched = page.waitForResponse((response) => response.url().includes('_payload.json'));
  await page
    .getByRole('link', { name: /Greenroom/ })
    .first()
    .hover();
  await prefetched;
  const person = newPerson();
  await page.getByRole('link', { name: 'Create account' }).click();
  await submitCredentials(page, person, 'Create account');
  await expect(page).toHaveURL(`${baseUrl()}/account`);
});
