/** The consent page of the OAuth server. The test application is a real HTTP server that receives the callback. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolationsInBothModes } from './support/axe.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { requestLateParts } from './support/late-parts.ts';
import { createAccount, forgetCookies, type Person, signUp, submitCredentials } from './support/person.ts';
import { codeOf, setUpApp } from './support/second-factor.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

test.describe.configure({ mode: 'default' });

let site: Instance;
let server: Server;
let callback: string;
let serviceKey: string;

test.beforeAll(async () => {
  site = await startFullInstance({ GOTRUE_OAUTH_SERVER_ENABLED: 'true' });
  serviceKey = (await readStatus(site.folder)).SERVICE_ROLE_KEY ?? '';
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Back at the application</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
});
test.afterAll(async () => {
  await endFullInstance(site);
  server?.closeAllConnections();
  server?.close();
});

/** An OAuth client and one authorization request of it. */
interface AuthorizationRequest {
  id: string;
  name: string;
  verifier: string;
  /** The authorization URL, to which the client redirects the browser. */
  url: string;
}

async function register(name: string, fields: object = {}): Promise<string> {
  const parameters = await fetch(`${site.url}/auth/v1/admin/oauth/clients`, {
    method: 'POST',
    headers: {
      apikey: serviceKey,
      authorization: `Bearer ${serviceKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      ...fields,
    }),
  });
  expect(parameters.status).toBe(201);
  return ((await parameters.json()) as { client_id: string }).client_id;
}

/** Builds an authorization request with PKCE (RFC 6749 §4.1.1, RFC 7636). */
function newAuthorizationRequest(
  id: string,
  name: string,
  scope = 'openid email profile',
): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: callback,
    scope,
    state: 'where we were',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { id, name, verifier, url: `${site.url}/auth/v1/oauth/authorize?${query}` };
}

/** Expects the browser at the callback of the application and returns the query parameters. */
async function readCallbackParameters(page: Page): Promise<URLSearchParams> {
  await expect(page.getByRole('heading', { name: 'Back at the application' })).toBeVisible();
  const { origin, pathname, searchParams } = new URL(page.url());
  expect(origin + pathname).toBe(callback);
  expect(searchParams.get('state')).toBe('where we were');
  return searchParams;
}

/** Exchanges an authorization code for tokens. */
function exchange({ id, verifier }: AuthorizationRequest, code: string | null): Promise<Response> {
  return fetch(`${site.url}/auth/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: id,
      code: code ?? '',
      redirect_uri: callback,
      code_verifier: verifier,
    }),
  });
}

async function fetchUserinfoWithCode(
  authorization: AuthorizationRequest,
  page: Page,
): Promise<{ status: number; token: string; claims: unknown }> {
  const tokens = await exchange(authorization, (await readCallbackParameters(page)).get('code'));
  expect(tokens.status).toBe(200);
  const { access_token: token } = (await tokens.json()) as { access_token: string };
  return { ...(await fetchUserinfo(token)), token };
}

async function fetchUserinfo(token: string): Promise<{ status: number; claims: unknown }> {
  const parameters = await fetch(`${site.url}/auth/v1/oauth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: parameters.status, claims: await parameters.json() };
}

const consentPrompt = (page: Page, name: string) => page.getByRole('region', { name: `Authorize ${name}` });
const card = (page: Page) => page.getByRole('region', { name: 'Connected apps', exact: true });

/** Creates a user and clears the cookies, so that the browser is signed out. */
async function createUser(page: Page): Promise<Person> {
  const person = await signUp(page, site.url);
  await forgetCookies(page);
  return person;
}

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });
    if (!scripts) test.beforeEach(({ page }) => requestLateParts(page));

    test('signs in, requires consent once, skips it the next time, and revokes it', async ({ page }) => {
      const person = await createUser(page);
      const id = await register('Notes', { client_uri: 'https://notes.example/about' });
      const first = newAuthorizationRequest(id, 'Notes');
      await page.goto(first.url);
      await expect(page).toHaveURL(`${site.url}/login`);
      await submitCredentials(page, person);
      await expect(page).toHaveURL(/\/oauth\/consent\?authorization_id=[\w-]+$/);
      await expect(consentPrompt(page, 'Notes')).toContainText(person.email);
      await expect(consentPrompt(page, 'Notes')).toContainText(`${new URL(callback).host}, on this computer`);
      await expect(consentPrompt(page, 'Notes').getByRole('listitem')).toHaveText([
        'Identify you by your user ID',
        'View your email address',
        'View your name, username and profile picture',
      ]);
      await page.getByRole('button', { name: 'Authorize', exact: true }).click();
      const { claims, token } = await fetchUserinfoWithCode(first, page);
      expect(claims).toMatchObject({ email: person.email });

      const second = newAuthorizationRequest(id, 'Notes');
      await page.goto(second.url);
      expect((await fetchUserinfoWithCode(second, page)).claims).toMatchObject({ email: person.email });
      // A further scope requires consent again.
      await page.goto(newAuthorizationRequest(id, 'Notes', 'openid email phone').url);
      await expect(consentPrompt(page, 'Notes')).toContainText('View your phone number');

      await page.goto(`${site.url}/account`);
      await expect(card(page).getByRole('list', { name: 'Connected apps' }).locator('> li')).toHaveCount(1);
      await expect(card(page)).toContainText('notes.example');
      await card(page).getByRole('link', { name: 'Revoke access for Notes' }).click();
      const confirmation = page.getByRole(scripts ? 'dialog' : 'region', {
        name: 'Revoke access for Notes?',
      });
      await confirmation.getByRole('button', { name: 'Revoke access' }).click();
      await expect(card(page).getByText('Access revoked.')).toBeVisible();
      await expect(card(page).getByText('No connected apps.')).toBeVisible();
      expect((await fetchUserinfo(token)).status).toBe(401);
      await page.goto(newAuthorizationRequest(id, 'Notes').url);
      await expect(consentPrompt(page, 'Notes')).toBeVisible();
    });

    test('returns access_denied for a refusal and closes the request', async ({ page }) => {
      await signUp(page, site.url);
      const id = await register('Curious');
      await page.goto(newAuthorizationRequest(id, 'Curious').url);
      const address = page.url();
      await page.getByRole('button', { name: 'Cancel' }).click();
      const parameters = await readCallbackParameters(page);
      expect([parameters.get('error'), parameters.get('code')]).toEqual(['access_denied', null]);
      await page.goto(address);
      await expect(page.getByRole('heading', { name: 'This request is no longer valid' })).toBeVisible();
      await page.goto(`${site.url}/account`);
      await expect(card(page).getByText('No connected apps.')).toBeVisible();
    });
  });
}

test('requires the second factor before the consent page', async ({ page }) => {
  const person = await createAccount(page, site.url);
  const secret = await setUpApp(page, site.url);
  await forgetCookies(page);
  const id = await register('Careful');
  await page.goto(newAuthorizationRequest(id, 'Careful').url);
  await submitCredentials(page, person);
  await expect(page).toHaveURL(/mode=factor/);
  await page.goto(newAuthorizationRequest(id, 'Careful').url);
  await expect(page).toHaveURL(/mode=factor/);
  await page.getByLabel('Code').fill(codeOf(secret));
  await expect(consentPrompt(page, 'Careful')).toBeVisible();
});

test('forbids framing and accepts a decision only from its own form and user', async ({ page, browser }) => {
  await createAccount(page, site.url);
  await page.goto(newAuthorizationRequest(await register('Framed'), 'Framed').url);
  const address = page.url();
  const { headers } = { headers: (await page.request.get(address)).headers() };
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['cache-control']).toBe('private, no-store');
  for (const [origin, decision, status] of [
    ['https://elsewhere.example', 'approve', 403],
    [site.url, 'perhaps', 400],
  ] as const) {
    const parameters = await page.request.post(address, {
      form: { decision },
      headers: { origin },
      maxRedirects: 0,
    });
    expect(parameters.status(), origin).toBe(status);
  }
  // The request belongs to the first user who opens it; another user gets an error.
  const other = await (await browser.newContext()).newPage();
  await createAccount(other, site.url);
  await other.goto(address);
  await expect(other.getByRole('heading', { name: 'This request is no longer valid' })).toBeVisible();
  await other.context().close();
  await expect(consentPrompt(page, 'Framed')).toBeVisible();
  await page.reload();
  await expect(consentPrompt(page, 'Framed')).toBeVisible();
});

for (const id of ['', 'unknown', '..%2F..%2Fuser', 'a'.repeat(500), '%00', 'a&authorization_id=b']) {
  test(`responds with 404 to the authorization id ${JSON.stringify(id.slice(0, 20))}`, async ({ page }) => {
    await createAccount(page, site.url);
    const parameters = await page.goto(`${site.url}/oauth/consent?authorization_id=${id}`);
    expect(parameters?.status()).toBe(404);
    await expect(page.getByRole('main').getByRole('alert')).toContainText('start again');
    const form = { decision: 'approve' };
    const posted = await page.request.post(page.url(), { form, headers: { origin: site.url } });
    expect(posted.status()).toBe(404);
  });
}

test('loads the https logo of an application without a referrer, and no http logo', async ({ page }) => {
  const referrers: (string | undefined)[] = [];
  await page.route('https://pictures.example/**', async (route) => {
    referrers.push((await route.request().allHeaders()).referer);
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  const person = await createUser(page);
  const logo_uri = 'https://pictures.example/logo.svg';
  const id = await register('Evil \u202e <b>name</b>', { logo_uri });
  await page.goto(newAuthorizationRequest(id, 'Evil').url);
  await submitCredentials(page, person);
  await expect(page.getByRole('heading', { name: 'Authorize Evil <b>name</b>' })).toBeVisible();
  await expect(page.locator('main img')).toHaveAttribute('src', logo_uri);
  await expect.poll(() => referrers).toEqual([undefined]);
  await page.goto(
    newAuthorizationRequest(await register('Plain', { logo_uri: 'http://pictures.example/a' }), 'Plain').url,
  );
  await expect(consentPrompt(page, 'Plain')).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);
});

for (const language of ['en', 'de']) {
  test(`axe finds no violations: ${language}`, async ({ browser }) => {
    test.slow();
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    await createAccount(page, site.url);
    await page.goto(`${site.url}/?lang=${language}`);
    const name = 'Anwendungsverwaltungswerkzeug'.repeat(2);
    const id = await register(name);
    await page.goto(newAuthorizationRequest(id, name, 'openid email profile phone offline_access').url);
    await expect(page.getByRole('button', { name: /^(?:Authorize|Autorisieren)$/ })).toBeVisible();
    await expectNoViolationsInBothModes(page);
    await page.getByRole('button', { name: /^(?:Authorize|Autorisieren)$/ }).click();
    await readCallbackParameters(page);
    await page.goto(`${site.url}/account`);
    await page.waitForLoadState('networkidle');
    await expectNoViolationsInBothModes(page);
    await page.goto(`${site.url}/oauth/consent`);
    await expectNoViolationsInBothModes(page);
    await context.close();
  });
}

test('a site without the OAuth server has neither the consent page nor the card', async ({ page }) => {
  await createAccount(page);
  await page.goto(`${baseUrl()}/account`);
  await expect(page.getByRole('region', { name: 'Devices', exact: true }).getByRole('listitem')).toHaveCount(
    1,
  );
  await expect(card(page)).toHaveCount(0);
  const parameters = await page.goto(`${baseUrl()}/oauth/consent?authorization_id=a`);
  expect(parameters?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
});
