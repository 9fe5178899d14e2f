/** Error handling: the page that a user sees, the recorded error and the server log. */
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolationsInBothModes } from './support/axe.ts';
import { startGateway } from './support/gateway.ts';
import { removeDataFolder, startInstance } from './support/instance.ts';
import { claimAdmin, createAccount, signUp } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

const recordedError = (page: Page) => page.evaluate(() => window.__payload.error);

test('records a 404 as a non-fatal error and clears it on the next navigation', async ({ page }) => {
  const response = await page.goto(`${baseUrl()}/nowhere?x=1`);
  expect(response?.status()).toBe(404);
  await expect(page).toHaveTitle('404 - Page Not Found | Greenroom');
  await expect
    .poll(() => recordedError(page))
    .toMatchObject({
      phase: 'server',
      status: 404,
      message: 'Page not found: /nowhere?x=1',
      fatal: false,
      unhandled: false,
    });
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  await expect.poll(() => recordedError(page)).toBeNull();
});

test('shows a button to go back on a 404 of a client navigation', async ({ page }) => {
  await signUp(page);
  await page.evaluate(() => window.__reactRouterDataRouter.navigate('/nowhere'));
  await expect(page.getByText('Page not found: /nowhere')).toBeVisible();
  expect(await recordedError(page)).toMatchObject({ phase: 'navigation', status: 404, fatal: false });
  await page.getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect.poll(() => recordedError(page)).toBeNull();
});

test('a known page with an invalid query shows the not-found text with its path', async ({ page }) => {
  await createAccount(page);
  await claimAdmin(page);
  const response = await page.goto(`${baseUrl()}/admin/users?page=none`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await expect(page.getByText('Page Not Found: /admin/users?page=none')).toBeVisible();
});

test('loads the error pages only when they are needed', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const loaded = () => scripts.filter((address) => address.includes('/not-found-page-'));
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  expect(loaded()).toEqual([]);
  await page.evaluate(() => window.__reactRouterDataRouter.navigate('/nowhere'));
  await expect(page.getByText('Page not found: /nowhere')).toBeVisible();
  expect(loaded()).toHaveLength(1);
});

test('shows the error page if the startup fails', async ({ page }) => {
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const config = document.getElementById('page-config');
      if (config) config.textContent = '{ not JSON';
    });
    new MutationObserver((_changes, observer) => {
      const config = document.getElementById('page-config');
      if (!config?.textContent) return;
      observer.disconnect();
      config.textContent = '{ not JSON';
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${baseUrl()}/login`);
  await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
  await expect(page.getByText(/Request ID: [0-9a-f-]{36}/)).toBeVisible();
  await expect(page).toHaveTitle('500 - Internal Server Error | Greenroom');
  expect(await recordedError(page)).toMatchObject({ phase: 'startup', fatal: true, unhandled: true });
});

test('shows the error page if mounting fails', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'BroadcastChannel', {
      value: class {
        constructor() {
          throw new Error('no channels today');
        }
      },
    });
  });
  await page.goto(`${baseUrl()}/login`);
  await expect(page.getByText('500', { exact: true })).toBeVisible();
  expect(await recordedError(page)).toMatchObject({
    phase: 'mounting',
    message: 'no channels today',
    fatal: true,
  });
});

test('records an uncaught error during the startup and keeps the page', async ({ page }) => {
  await page.addInitScript(() => {
    const timer = setInterval(() => {
      if (!window.__payload) return;
      clearInterval(timer);
      window.dispatchEvent(new ErrorEvent('error', { error: new Error('a stray'), message: 'a stray' }));
    }, 0);
  });
  await page.goto(`${baseUrl()}/login`);
  await expect
    .poll(() => recordedError(page).catch(() => null))
    .toMatchObject({
      phase: 'startup',
      message: 'a stray',
      fatal: false,
    });
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});

test('logs a client error of a crawler without showing the error page', async ({ browser }) => {
  const context = await browser.newContext({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
  const page = await context.newPage();
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  await page.addInitScript(() => {
    Object.defineProperty(window, 'BroadcastChannel', { value: undefined });
  });
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await page.goto(`${baseUrl()}/nowhere`);
  await expect.poll(() => logged.join()).toContain('Page not found: /nowhere');
  await context.close();
});

test('a sign-in without a backend shows an error, has a request id and logs the reason', async ({ page }) => {
  const folder = await newPreparedFolder();
  // Nothing listens at this backend URL. The sign-in page renders without a backend.
  const instance = await startInstance(folder, {
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_ANON_KEY: 'none',
    GREENROOM_GUARD_INCLUDE: '/none',
  });
  try {
    await page.goto(`${instance.url}/login`);
    await page.getByLabel('Email address').fill('a@example.org');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    const response = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const id = (await response).headers()['x-request-id'] ?? 'none';
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await expect(page.getByRole('alert')).toBeVisible();
    await expect.poll(() => instance.output()).toContain('the backend does not respond');
  } finally {
    await instance.stop();
    await removeDataFolder(folder);
  }
});

for (const [language, path, sentence] of [
  [
    'en',
    '/100%',
    'The address is invalid: two hexadecimal digits must follow “%” in “%”. Write “%25” for “%” itself.',
  ],
  [
    'en',
    '/a%zzb',
    'The address is invalid: two hexadecimal digits must follow “%” in “%zz”. Write “%25” for “%” itself.',
  ],
  ['en', '/caf%e9', 'The address is invalid: “%e9” isn’t valid UTF-8.'],
  ['de', '/caf%e9', 'Die Adresse ist ungültig: „%e9“ ist kein gültiges UTF-8.'],
] as const) {
  test(`explains why the URL path ${path} is invalid (${language})`, async ({ browser }) => {
    const context = await browser.newContext({ locale: language, javaScriptEnabled: false });
    const page = await context.newPage();
    expect((await page.goto(baseUrl() + path))?.status()).toBe(400);
    await expect(page.getByText(sentence)).toBeVisible();
    await context.close();
  });
}

test('a page without its backend retries automatically and by a link', async ({ page, browser }) => {
  const backend = await startGateway(Number(new URL(baseUrl()).port));
  const folder = await newPreparedFolder();
  const { ANON_KEY = '' } = await readStatus();
  const instance = await startInstance(folder, { SUPABASE_URL: backend.url, SUPABASE_ANON_KEY: ANON_KEY });
  const account = `${instance.url}/account?x=1`;
  try {
    await createAccount(page, instance.url);
    await backend.close();
    const response = await page.goto(account);
    expect([response?.status(), response?.headers()['retry-after']]).toEqual([503, '5']);
    await expect(page).toHaveTitle('503 - Internal Server Error | Greenroom');
    const timer = page.getByRole('timer');
    await expect(timer).toHaveText(/Trying again in \d+ s\./);
    await expectNoViolationsInBothModes(page);
    // At least one retry has failed, and the delay has grown to 10 s.
    await expect(timer).toHaveText(/in 10 s/);
    await page.getByRole('button', { name: 'Stop retrying' }).click();
    await expect(page.getByText('Automatic retries are stopped.')).toBeVisible();

    const plain = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    const withoutScripts = await plain.newPage();
    await withoutScripts.goto(account);
    await expect(withoutScripts.getByRole('timer')).toHaveCount(0);
    await page.reload();
    await expect(timer).toBeVisible();
    await backend.open();
    await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
    await expect(page).toHaveURL(account);
    await withoutScripts.getByRole('link', { name: 'Try again' }).click();
    await expect(withoutScripts.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
    await plain.close();
  } finally {
    await instance.stop();
    await backend.close();
    await removeDataFolder(folder);
  }
});

test('renders the page if the script of the toast list fails to load', async ({ page }) => {
  await page.route(/idle-parts/, (route) => route.abort());
  await signUp(page);
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('reports an error even if the error page cannot be loaded', async ({ page }) => {
  // They would keep the current page.
  await page.route(/idle-parts/, (route) => route.abort());
  await signUp(page);
  await page.waitForLoadState('networkidle');
  await page.route(/\/assets\//, (route) => route.abort());
  await page.route(/_payload\.json|\.data/, (route) => route.abort());
  await page.evaluate(() => window.__reactRouterDataRouter.navigate('/nothing-here'));
  await expect(page.getByRole('alert')).toContainText(/Page Not Found|Internal Server Error/);
  await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
});

test('moves the focus to the main content when the form of a page changes', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  await page.getByRole('link', { name: 'Sign in with a code' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with a code' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});
