/** The main user journeys through the app, in a real browser. */
import { expect, type Page, test } from '@playwright/test';
import { newAdminUrl, printAdminUrl } from './support/admin-link.ts';
import { withDatabase } from './support/database.ts';
import {
  chooseFromMenu,
  createAccount,
  forgetCookies,
  newPerson,
  signUp,
  submitCredentials,
} from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';

const html = (page: Page) => page.locator('html');

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });

    test('redirects a visitor to the login and returns to the requested page after sign-up', async ({
      page,
    }) => {
      await page.goto(`${baseUrl()}/?from=a%20friend`);
      await expect(page).toHaveURL(`${baseUrl()}/login`);
      await page.getByRole('link', { name: 'Create account' }).click();
      const person = newPerson();
      await submitCredentials(page, person, 'Create account');
      await expect(page).toHaveURL(`${baseUrl()}/?from=a%20friend`);
      await expect(page.getByText(`Signed in as ${person.email}`)).toBeVisible();
      await expect(page.getByRole('region', { name: 'Session' })).toContainText('aal1');
    });

    test('signs in again after signing out and reports a wrong password', async ({ page }) => {
      const person = await signUp(page);
      await chooseFromMenu(page, 'Sign out');
      await expect(page).toHaveURL(`${baseUrl()}/login`);
      await submitCredentials(page, { ...person, password: 'wrong horse' });
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(page.getByLabel('Email address')).toHaveValue(person.email);
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue(scripts ? /.*/ : '');
      await submitCredentials(page, person);
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    });

    test('signs up by phone', async ({ page }) => {
      await page.goto(`${baseUrl()}/login?mode=sign-up`);
      await page.getByRole('link', { name: 'Phone' }).click();
      const digits = String(Date.now()).slice(-9) + (scripts ? '1' : '2');
      await page.getByLabel('Phone number').fill(`+44 ${digits}`);
      await page.getByLabel('Password', { exact: true }).fill('correct horse');
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    });

    test('describes the error of each invalid field', async ({ page }) => {
      await page.goto(`${baseUrl()}/login?mode=sign-up`);
      await submitCredentials(page, { email: 'nobody', password: '123' }, 'Create account');
      const email = page.getByLabel('Email address');
      await expect(email).toHaveAttribute('aria-invalid', 'true');
      await expect(email).toHaveAccessibleDescription(/email address/i);
      await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/6 characters/);
    });
  });
}

test('renders one page at a time inside the default layout', async ({ page }) => {
  await createAccount(page);
  for (const [path, heading] of [
    ['/', 'Home'],
    ['/nowhere', 'Page Not Found'],
    ['/account', 'Account'],
  ] as const) {
    await page.goto(baseUrl() + path);
    await expect(page.getByRole('link', { name: 'Skip to content' })).toHaveCount(1);
    await expect(page.getByRole('main')).toHaveCount(1);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(heading);
  }
  // A client navigation replaces the page and keeps the layout.
  await html(page).evaluate((element) => element.setAttribute('data-kept', 'yes'));
  await page.getByRole('link', { name: 'Greenroom' }).first().click();
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('Home');
  await expect(html(page)).toHaveAttribute('data-kept', 'yes');
});

test('opens /admin to a user who became an admin after signing in, without another sign-in', async ({
  page,
}) => {
  const { email } = await createAccount(page);
  expect((await page.goto(`${baseUrl()}/admin`))?.status()).toBe(403);
  await withDatabase(undefined, (database) =>
    database.query({
      text: `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role": "admin"}' where email = $1`,
      values: [email],
    }),
  );
  expect((await page.goto(`${baseUrl()}/admin`))?.status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await page.goto(`${baseUrl()}/`);
  await page.getByRole('button', { name: 'Search or jump to…' }).click();
  await expect(page.getByRole('option', { name: 'Users' })).toBeVisible();
});

test('closes /admin to users until they become admin by a single-use link', async ({ page }) => {
  const person = await createAccount(page);
  const refused = await page.goto(`${baseUrl()}/admin`);
  expect(refused?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
  await expect(html(page)).toHaveClass(/dark/);

  await chooseFromMenu(page, 'Sign out');
  const link = await printAdminUrl();
  const { origin } = new URL(link);
  await page.goto(link);
  await expect(page).toHaveURL(`${origin}/login`);
  await submitCredentials(page, person);
  await expect(page).toHaveURL(link);
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await expect(page).toHaveURL(`${origin}/admin`);
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('table', { name: 'Users' })).toContainText(person.email);

  await forgetCookies(page);
  await createAccount(page, origin);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link is invalid or has expired' })).toBeVisible();
});

test('follows a sign-out and a sign-in of another tab', async ({ page, context }) => {
  const person = await signUp(page);
  const other = await context.newPage();
  await other.goto(baseUrl());
  await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible();
  await other.waitForLoadState('networkidle');
  await chooseFromMenu(page, 'Sign out');
  await expect(other).toHaveURL(`${baseUrl()}/login`);
  await submitCredentials(page, person);
  await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('confirms signing out other devices in a toast', async ({ page, browser }) => {
  const person = await signUp(page);
  const device = await browser.newContext();
  const otherPage = await device.newPage();
  await otherPage.goto(`${baseUrl()}/login`);
  await submitCredentials(otherPage, person);
  await expect(otherPage.getByRole('heading', { name: 'Home' })).toBeVisible();
  await chooseFromMenu(page, 'Sign out other devices');
  await expect(page.getByText('Signed out other devices.', { exact: true }).first()).toBeVisible();
  await expect(page).toHaveURL(`${baseUrl()}/`);
  await device.close();
});

test('responds to an unknown path with a 404 page that links home', async ({ page }) => {
  await createAccount(page);
  const response = await page.goto(`${baseUrl()}/no/such?page=1`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await expect(page.getByText('Page not found: /no/such?page=1', { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^404 - /);
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('persists the colour mode and never paints another one', async ({ page, context }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${baseUrl()}/login`);
  await expect(html(page)).toHaveClass(/light/);
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect(html(page)).toHaveClass(/dark/);
  // Blocks module scripts, so that only the server and the inline script determine the painted colour mode.
  await context.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  await expect(html(page)).toHaveClass(/dark/);
  await context.unroute('**/assets/*.js');
  await page.reload();
  await page.getByRole('radio', { name: 'System' }).check({ force: true });
  await expect(html(page)).toHaveClass(/light/);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html(page)).toHaveClass(/dark/);
});

test('operates the skip link, the form and the show-password button by keyboard', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type('secret words');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await page.getByLabel('Email address').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Email address')).toBeFocused();
});

test('sends no requests to other hosts and logs no policy violations', async ({ page }) => {
  const foreignRequests: string[] = [];
  const consoleErrors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl()) && !request.url().startsWith('data:'))
      foreignRequests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  await signUp(page);
  await page.reload();
  await page.waitForLoadState('networkidle');
  expect(foreignRequests).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

test('the page after a sign-in begins at its top on a phone, and so does the skip link', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(`${baseUrl()}/login?mode=sign-up`);
  await submitCredentials(page, newPerson(), 'Create account');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
  const header = await page.getByRole('banner').boundingBox();
  const top = await main.evaluate((element) => element.getBoundingClientRect().top);
  expect(top).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0) - 2);
});

test('the login page loads less than 150 KB of gzipped scripts', async ({ page }) => {
  const sizes: number[] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('.js')) return;
    sizes.push(Number(response.headers()['content-length'] ?? 0));
  });
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.every((size) => size > 0)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150 * 1024);
});

test('pages do not overflow at 360 px', async ({ browser }) => {
  const phone = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await phone.newPage();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await page.goto(`${baseUrl()}/login`);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await signUp(page);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.goto(await newAdminUrl());
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await phone.close();
});
