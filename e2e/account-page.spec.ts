/** A user's own data on the account page: devices, sign-in methods, export and deletion of the account. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@greenroom/postgres';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { expectNoViolationsNow } from './support/axe.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { requestLateParts } from './support/late-parts.ts';
import { latestMessage } from './support/mailbox.ts';
import { createAccount, newPerson, type Person, signUp, submitCredentials } from './support/person.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const sectionLinks = (page: Page) =>
  page.getByRole('navigation', { name: 'Account sections' }).getByRole('link');
const SECTIONS = ['Profile', 'Sign-in', 'Two-factor authentication', 'Devices and apps', 'Your data'];
const home = (page: Page) => page.getByRole('heading', { name: 'Home' });

/** Signs the same user in in another browser context. */
async function signInOnOtherDevice(browser: Browser, person: Person, userAgent: string): Promise<Page> {
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  await page.goto(`${baseUrl()}/login`);
  await submitCredentials(page, person);
  await expect(home(page)).toBeVisible();
  return page;
}

const PICTURES = 'greenroom-account-pictures';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

/** Stores two files and a picture of the user. Returns a function that counts them: `[files, pictures]`. */
async function uploadFiles({ email, password }: Person): Promise<() => Promise<(number | undefined)[]>> {
  const { API_URL = baseUrl(), ANON_KEY = '', SERVICE_ROLE_KEY = '' } = await readStatus();
  const options = { auth: { persistSession: false } };
  const client = createClient(API_URL, ANON_KEY, options);
  const { data } = await client.auth.signInWithPassword({ email, password });
  const id = data.user?.id;
  for (const [bucket, path, type] of [
    ['files', 'a.txt', 'text/plain'],
    ['files', 'one/two/b.txt', 'text/plain'],
  ] as const) {
    const { error } = await client.storage.from(bucket).upload(`${id}/${path}`, new Blob(['x'], { type }));
    expect(error).toBeNull();
  }
  const { storage } = createClient(API_URL, SERVICE_ROLE_KEY, options);
  // Exists if another test has stored a picture.
  await storage.createBucket(PICTURES, { public: true });
  const picture = new Blob(['x'], { type: 'image/png' });
  expect((await storage.from(PICTURES).upload(`${id}/a.png`, picture)).error).toBeNull();
  const list = (bucket: string) => storage.from(bucket).listV2({ prefix: `${id}/` });
  return async () =>
    (await Promise.all(['files', PICTURES].map(list))).map(({ data }) => data?.objects.length);
}

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });
    if (!scripts) test.beforeEach(({ page }) => requestLateParts(page));

    test('lists devices and signs them out one by one or all together', async ({ page, browser }) => {
      const person = await signUp(page);
      const firefox = await signInOnOtherDevice(browser, person, FIREFOX);
      const phone = await signInOnOtherDevice(browser, person, PHONE);
      await page.goto(`${baseUrl()}/account`);
      const devices = card(page, 'Devices');
      await expect(devices.getByRole('listitem')).toHaveCount(3);
      await expect(devices.getByRole('listitem').first()).toContainText('This device');
      await expect(devices.getByRole('listitem').first().getByRole('button')).toHaveCount(0);
      await expect(devices.getByText('from this computer')).toHaveCount(3);
      await devices.getByRole('button', { name: 'Sign out Firefox on Linux' }).click();
      await expect(devices.getByText('Device signed out.')).toBeVisible();
      await expect(devices.getByRole('listitem')).toHaveCount(2);
      await firefox.goto(`${baseUrl()}/account`);
      await expect(firefox).toHaveURL(`${baseUrl()}/login`);
      await devices.getByRole('button', { name: 'Sign out other devices' }).click();
      await expect(page.getByText('Signed out other devices.').first()).toBeVisible();
      await page.goto(`${baseUrl()}/account`);
      await expect(devices.getByRole('listitem')).toHaveCount(1);
      await phone.goto(`${baseUrl()}/account`);
      await expect(phone).toHaveURL(`${baseUrl()}/login`);
      await page.getByRole('button', { name: 'Sign out everywhere' }).last().click();
      await expect(page).toHaveURL(`${baseUrl()}/login`);
      await Promise.all([firefox.context().close(), phone.context().close()]);
    });

    test('deletes the account with its files after confirmation and password', async ({ page }) => {
      const person = await createAccount(page);
      const countFiles = await uploadFiles(person);
      await page.goto(`${baseUrl()}/account`);
      await card(page, 'Delete account').getByRole('link', { name: 'Delete account' }).click();
      const confirmation = page.getByRole(scripts ? 'dialog' : 'region', { name: 'Delete your account?' });
      await expect(confirmation).toBeVisible();
      const confirmationField = confirmation.getByLabel(`To confirm, type ${person.email}`);
      await confirmation.getByRole('button', { name: 'Delete account' }).click();
      await expect(confirmationField).toHaveAttribute('aria-invalid', 'true');
      await confirmationField.fill(person.email.toUpperCase());
      await confirmation.getByRole('button', { name: 'Delete account' }).click();
      await expect(confirmation.getByText('Enter your password.')).toBeVisible();
      await expect(confirmationField).toHaveValue(person.email.toUpperCase());
      await confirmation.getByLabel('Password', { exact: true }).fill('wrong horse');
      await confirmation.getByRole('button', { name: 'Delete account' }).click();
      await expect(confirmation.getByText('Incorrect password.')).toBeVisible();
      await confirmation.getByRole('link', { name: 'Cancel' }).click();
      await expect(confirmation).toBeHidden();
      expect(await countFiles()).toEqual([2, 1]);
      await page.goto(`${baseUrl()}/account?ask=delete`);
      await confirmationField.fill(person.email);
      await confirmation.getByLabel('Password', { exact: true }).fill(person.password);
      await confirmation.getByRole('button', { name: 'Delete account' }).click();
      await expect(page).toHaveURL(`${baseUrl()}/login?notice=account-deleted`);
      await expect(page.getByText('Account deleted')).toBeVisible();
      expect(await countFiles()).toEqual([0, 0]);
      await submitCredentials(page, person);
      await expect(page.getByText('Incorrect email address, phone number or password.')).toBeVisible();
    });
  });
}

test('jumps to a section, marks the section in view, and keeps the result of a form', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await createAccount(page);
  await page.goto(`${baseUrl()}/account`);
  const links = sectionLinks(page);
  await expect(links).toHaveText(SECTIONS);
  const isCurrent = (name: string) =>
    expect(links.and(page.locator('[aria-current=true]')), name).toHaveText([name]);
  await isCurrent('Profile');
  await card(page, 'Name and picture').getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name removed.')).toBeVisible();

  const twoFactor = card(page, 'Two-factor authentication');
  await links.filter({ hasText: 'Two-factor authentication' }).click();
  await expect(page).toHaveURL(`${baseUrl()}/account#two-factor`);
  await expect(twoFactor).toBeFocused();
  const top = (await twoFactor.boundingBox())?.y;
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(100);
  await isCurrent('Two-factor authentication');
  await expect(links.first()).toBeInViewport();

  // The last section is too short to reach the top of the screen.
  await links.last().press('Enter');
  await expect(card(page, 'Your data')).toBeFocused();
  await expect(card(page, 'Delete account')).toBeInViewport();
  await isCurrent('Your data');
  await page.evaluate(() => window.scrollTo(0, 0));
  await isCurrent('Profile');
  await expect(page.getByText('Name removed.')).toBeVisible();

  await page.goto('about:blank');
  await page.goto(`${baseUrl()}/account#devices-and-apps`);
  await expect(card(page, 'Devices')).toBeInViewport();
});

test('fits a phone without breaking an email address inside a word', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { email } = await createAccount(page);
  for (const path of ['/account', '/account?lang=de', '/?lang=en']) {
    await page.goto(baseUrl() + path);
    const addresses = page.getByRole('main').getByText(email, { exact: true });
    await expect(addresses.first(), path).toBeAttached();
    // The number of lines of each visible piece.
    const lines = await addresses.evaluateAll((elements) =>
      elements
        .flatMap(({ childNodes }) => [...childNodes])
        .map((piece) => {
          const range = document.createRange();
          range.selectNodeContents(piece);
          return range.getClientRects().length;
        })
        .filter((count) => count > 0),
    );
    expect(new Set(lines), path).toEqual(new Set([1]));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('links to the sections, and shows the card of a submitted form', async ({ page }) => {
    await createAccount(page);
    await page.goto(`${baseUrl()}/account`);
    await sectionLinks(page).filter({ hasText: 'Devices and apps' }).click();
    await expect(page).toHaveURL(`${baseUrl()}/account#devices-and-apps`);
    await expect(card(page, 'Devices')).toBeInViewport();
    const password = card(page, 'Password');
    await password.getByLabel('New password').fill('123');
    await password.getByRole('button', { name: 'Change password' }).click();
    await expect(page).toHaveURL(`${baseUrl()}/account#password-card`);
    await expect(password.getByLabel('New password')).toHaveAttribute('aria-invalid', 'true');
    await expect(password.getByLabel('New password')).toBeInViewport();
  });
});

test('downloads the account data as a JSON file', async ({ page }) => {
  const person = await createAccount(page);
  await page.goto(`${baseUrl()}/account`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('account.json');
  const data = JSON.parse(await readFile(await file.path(), 'utf8')) as Record<string, unknown>;
  expect(data).toMatchObject({ user: { email: person.email }, identities: [{ provider: 'email' }] });
  expect(data.sessions).toHaveLength(1);
  const { headers } = { headers: (await page.request.get(`${baseUrl()}/account/export`)).headers() };
  expect(headers['cache-control']).toBe('private, no-store');
});

test('redirects an export without a session to the login', async ({ page }) => {
  const response = await page.request.get(`${baseUrl()}/account/export`, { maxRedirects: 0 });
  expect([response.status(), response.headers().location]).toEqual([302, '/login']);
});

test('ignores unknown session ids when ending a session', async ({ page }) => {
  await signUp(page);
  for (const sessionId of ['', 'me', '..%2f..', crypto.randomUUID()]) {
    const response = await page.request.post(`${baseUrl()}/account`, {
      form: { intent: 'end-session', sessionId },
      headers: { origin: baseUrl() },
    });
    expect(response.status(), sessionId).toBeLessThan(500);
  }
  await page.goto(`${baseUrl()}/account`);
  await expect(card(page, 'Devices').getByRole('listitem')).toHaveCount(1);
});

test.describe('sign-in methods', () => {
  // Keeps these tests in one worker: each further worker would start another instance.
  test.describe.configure({ mode: 'default' });
  let site: Instance;

  test.beforeAll(async () => {
    site = await startFullInstance();
  });
  test.afterAll(() => endFullInstance(site));

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('loads a list that exceeded its deadline after a click on the link', async ({ page }) => {
      await signUp(page, site.url);
      const { DB_URL: url = '' } = await readStatus(site.folder);
      const database = openDatabase({ url, max: 1, applicationName: 'e2e' });
      await database.transaction(async (tx) => {
        await tx.query({ text: 'lock table auth.webauthn_credentials in access exclusive mode' });
        await page.goto(`${site.url}/account`, { waitUntil: 'commit' });
        await expect(card(page, 'Passkeys').getByText('Loading passkeys…')).toBeAttached();
      });
      await card(page, 'Passkeys').getByRole('link', { name: 'Load the rest of this page' }).click();
      await expect(card(page, 'Passkeys').getByText('Loading passkeys…')).toHaveCount(0);
      await expect(page).toHaveURL(/\?whole=$/);
      await database.close();
    });
  });

  test('unlinks one of two sign-in methods, but not the last one', async ({ page }) => {
    const person = await createAccount(page, site.url);
    await page.goto(`${site.url}/account`);
    const signInMethods = card(page, 'Sign-in methods');
    await expect(signInMethods.getByRole('listitem')).toHaveCount(1);
    await expect(signInMethods.getByRole('link')).toHaveCount(0);
    await addPhone(page, site, person);
    await page.goto(`${site.url}/account`);
    await expect(signInMethods.getByRole('listitem')).toHaveCount(2);
    await signInMethods.getByRole('link', { name: 'Disconnect Phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Phone?' });
    await expect(dialog).toBeVisible();
    await expectNoViolationsNow(page);
    await dialog.getByRole('link', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await signInMethods.getByRole('link', { name: 'Disconnect Phone' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(signInMethods.getByText('Sign-in method disconnected.')).toBeVisible();
    await expect(signInMethods.getByRole('listitem')).toHaveCount(1);
  });
});

/** Adds a confirmed phone number to the user through the API. */
async function addPhone(page: Page, site: Instance, person: Person): Promise<void> {
  const { ANON_KEY: apikey = '' } = await readStatus(site.folder);
  const phone = `4478${String(Date.now()).slice(-8)}`;
  const post = (path: string, token: string, data: object, method = 'POST') =>
    page.request.fetch(`${site.url}/auth/v1${path}`, {
      method,
      data,
      headers: { apikey, authorization: `Bearer ${token}` },
    });
  const signedIn = (await (await post('/token?grant_type=password', apikey, person)).json()) as {
    access_token: string;
  };
  expect((await post('/user', signedIn.access_token, { phone }, 'PUT')).ok()).toBe(true);
  const { code: token } = await latestMessage(phone, site.folder).catch(() => ({ code: '' }));
  // With automatic confirmation, no message is sent.
  if (token) {
    const verified = await post('/verify', signedIn.access_token, { type: 'phone_change', phone, token });
    expect(verified.ok()).toBe(true);
  }
}

test.describe('a hosted backend', () => {
  // Keeps these tests in one worker: each further worker would start another instance.
  test.describe.configure({ mode: 'default' });
  let proxy: Server;
  let site: Instance;

  test.beforeAll(async () => {
    const { ANON_KEY: anonKey = '' } = await readStatus();
    proxy = await startPlainBackend();
    const { port } = proxy.address() as AddressInfo;
    site = await startFullInstance({
      SUPABASE_URL: `http://127.0.0.1:${port}`,
      SUPABASE_ANON_KEY: anonKey,
    });
  });
  test.afterAll(async () => {
    await endFullInstance(site);
    proxy?.closeAllConnections();
    proxy?.close();
  });

  test('shows only the cards whose endpoints the backend has', async ({ page }) => {
    await createAccount(page, site.url);
    await page.goto(`${site.url}/account`);
    const devices = card(page, 'Devices');
    await expect(devices.getByRole('listitem')).toHaveCount(0);
    await expect(devices.getByRole('button', { name: 'Sign out other devices' })).toBeVisible();
    await expect(devices.getByRole('button', { name: 'Sign out everywhere' })).toBeVisible();
    await expect(sectionLinks(page)).toHaveText(SECTIONS.filter((name) => name !== 'Your data'));
    await expect(card(page, 'Export your data')).toBeHidden();
    await expect(card(page, 'Delete account')).toBeHidden();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect((await page.request.get(`${site.url}/account/export`)).status()).toBe(404);
    // The settings of the backend report that Google is enabled.
    await expect(card(page, 'Sign-in methods').getByRole('link', { name: 'Connect Google' })).toBeVisible();
    await page.goto(`${site.url}/account?link=google`);
    await expect(card(page, 'Sign-in methods').getByRole('alert')).toBeVisible();
  });

  test('renders the sign-in page while the backend is unreachable', async ({ page }) => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await page.goto(`${site.url}/login`);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    const person = newPerson();
    await submitCredentials(page, person);
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

/** Starts a proxy to the shared instance that answers 404 for the endpoints that only Greenroom has. */
async function startPlainBackend(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { url = '/', method = 'GET' } = request;
    if (/^\/auth\/v1\/user\/(?:sessions|export)/.test(url)) return response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      ['apikey', 'authorization', 'content-type', 'x-supabase-api-version'].flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const upstream = await fetch(baseUrl() + url, {
      method,
      headers,
      redirect: 'manual',
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await upstream.text();
    const body = url.startsWith('/auth/v1/settings') ? text.replace('"google":false', '"google":true') : text;
    const type = upstream.headers.get('content-type') ?? 'text/plain';
    response.writeHead(upstream.status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
