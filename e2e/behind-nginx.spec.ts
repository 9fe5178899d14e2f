/** Greenroom behind nginx with default buffer sizes, and the size of the response headers that must fit into them. */
import { request as httpRequest } from 'node:http';
import { freePort } from '@greenroom/testing/free-port';
import { startTestNginx, type TestNginx, WITHOUT_NGINX } from '@greenroom/testing/nginx';
import { expect, type Page, test } from '@playwright/test';
import { addAuthenticator } from './support/authenticator.ts';
import { type Instance, removeDataFolder, runCli, startInstance } from './support/instance.ts';
import { latestMessage } from './support/mailbox.ts';
import { forgetCookies, newPerson, submitCredentials } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';
import { codeOf, setUpApp } from './support/second-factor.ts';
import { baseUrl } from './support/shared-instance.ts';

/** Default `proxy_buffer_size` of nginx. The status line and all headers must fit into it. */
const NGINX_BUFFER_BYTES = 4096;

/** Requests a URL and measures the status line and headers of the response, in bytes. */
function headerBytes(
  url: string,
  { cookie = '', form }: { cookie?: string; form?: Record<string, string> } = {},
): Promise<{ status: number; bytes: number; cookies: string[] }> {
  return new Promise((resolve, reject) => {
    const body = form && new URLSearchParams(form).toString();
    const request = httpRequest(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        cookie,
        accept: 'text/html',
        ...(body !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(url).origin,
        }),
      },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      const { rawHeaders, statusCode: status = 0, statusMessage = '' } = response;
      const lines = [`HTTP/1.1 ${status} ${statusMessage}`];
      for (let at = 0; at < rawHeaders.length; at += 2)
        lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
      const bytes = Buffer.byteLength(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
      resolve({ status, bytes, cookies: response.headers['set-cookie'] ?? [] });
    });
    request.end(body);
  });
}

const pairOf = (cookie: string) => cookie.split(';', 1)[0] ?? '';

test('keeps the headers of sign-up, sign-in and pages below the 4 KB buffer of nginx', async () => {
  const person = {
    email: `a-person-with-a-rather-long-name-${process.pid}@department.example.org`,
    password: 'correct horse',
  };
  for (const mode of ['sign-up', 'sign-in']) {
    const response = await headerBytes(`${baseUrl()}/login?mode=${mode}`, { form: person });
    expect(response.status).toBe(302);
    expect(response.bytes).toBeLessThan(NGINX_BUFFER_BYTES * 0.75);
    // PKCE verifiers belong only to flows that continue in the browser.
    expect(response.cookies.filter((cookie) => cookie.includes('-code-verifier='))).toEqual([]);
    const session = response.cookies.map(pairOf).join('; ');
    for (const path of ['/', '/account']) {
      const page = await headerBytes(baseUrl() + path, { cookie: session });
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.bytes).toBeLessThan(NGINX_BUFFER_BYTES / 2);
    }
  }
});

test.describe('behind nginx with default buffers', () => {
  // No npm package contains nginx; .ci/run installs it.
  test.skip(WITHOUT_NGINX !== undefined, WITHOUT_NGINX);
  let nginx: TestNginx;
  let instance: Instance;
  let site: string;

  test.beforeAll(async () => {
    const [proxyPort, port] = [await freePort(), await freePort()];
    site = `http://localhost:${proxyPort}`;
    instance = await startInstance(await newPreparedFolder(), {
      PORT: String(port),
      GREENROOM_PUBLIC_URL: site,
      SITE_URL: 'https://site.example',
      GREENROOM_TRUST_PROXY: '127.0.0.1',
    });
    nginx = await startTestNginx(
      `client_max_body_size 0;
       location / {
         proxy_pass http://127.0.0.1:${port};
         proxy_http_version 1.1;
         proxy_set_header Host $host:${proxyPort};
         proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
         proxy_set_header X-Forwarded-Proto $scheme;
         proxy_set_header Upgrade $http_upgrade;
         proxy_set_header Connection upgrade;
         proxy_request_buffering off;
       }`,
      proxyPort,
    );
  });
  test.afterAll(async () => {
    await nginx.stop();
    await instance.stop();
    await removeDataFolder(instance.folder);
  });

  const expectLive = (page: Page) =>
    expect(page.getByRole('region', { name: 'Board' }).getByText('Live', { exact: true })).toBeVisible();

  test('signs up, shows a new note live in a second tab, and signs in again', async ({ page }) => {
    const person = newPerson();
    await page.goto(`${site}/login?mode=sign-up`);
    await submitCredentials(page, person, 'Create account');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    expect(new URL(page.url()).origin).toBe(site);
    const other = await page.context().newPage();
    await other.goto(site);
    await expectLive(other);
    const text = `Through the proxy ${Date.now()}`;
    await page.getByLabel('New note').fill(text);
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect(other.getByRole('list', { name: 'Notes' }).getByText(text)).toBeVisible();
    await forgetCookies(page);
    await page.goto(`${site}/login`);
    await submitCredentials(page, person);
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    expect(await nginx.log()).not.toContain('upstream sent too big header');
  });

  test('makes a new user admin by the link and accepts an app, a passkey and a recovery code', async ({
    page,
  }) => {
    const { stdout } = await runCli(['admin-link'], instance.folder, { GREENROOM_PUBLIC_URL: site });
    const link = stdout.trim();
    expect(new URL(link).origin).toBe(site);
    await page.goto(link);
    const person = newPerson();
    if (new URL(page.url()).searchParams.get('mode') !== 'sign-up')
      await page.goto(`${site}/login?mode=sign-up`);
    await submitCredentials(page, person, 'Create account');
    await expect(page).toHaveURL(link);
    await page.getByRole('button', { name: 'Become an administrator' }).click();
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await page.goto(`${site}/admin/users`);
    await expect(page.getByRole('table', { name: 'Users' })).toContainText(person.email);
    const secret = await setUpApp(page, site);
    const recovery = page.getByRole('region', { name: 'Recovery codes' });
    await expect(recovery.getByRole('listitem')).toHaveCount(10);
    const codes = await recovery.getByRole('listitem').allTextContents();
    await addAuthenticator(page);
    const passkeys = page.getByRole('region', { name: 'Passkeys', exact: true });
    await passkeys.getByRole('button', { name: 'Add passkey' }).click();
    await expect(passkeys.getByRole('listitem')).toHaveCount(1);

    // A passkey with user verification counts as two factors, so /admin opens without a second step.
    await forgetCookies(page);
    await page.goto(`${site}/login`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await page.goto(`${site}/admin`);
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();

    for (const method of ['app', 'recovery code']) {
      await forgetCookies(page);
      await page.goto(`${site}/login`);
      await submitCredentials(page, person);
      await expect(page.getByRole('heading', { name: 'Two-factor verification' })).toBeVisible();
      if (method === 'app') await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
      else {
        await page.getByRole('link', { name: 'Use a recovery code' }).click();
        await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '');
        await page.getByRole('button', { name: 'Continue' }).click();
      }
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    }
    expect(await nginx.log()).not.toContain('upstream sent too big header');
  });

  test('sends emails with links to the proxy', async ({ page }) => {
    const person = newPerson();
    await page.goto(`${site}/login?mode=sign-up`);
    await submitCredentials(page, person, 'Create account');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await forgetCookies(page);
    await page.goto(`${site}/login?mode=recover`);
    await page.getByLabel('Email address').fill(person.email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByLabel('Code')).toBeVisible();
    const { link } = await latestMessage(person.email, instance.folder);
    expect(link?.startsWith(`${site}/auth/v1/verify?`)).toBe(true);
    await page.goto(link ?? '');
    await expect(page.getByLabel('New password')).toBeVisible();
    expect(new URL(page.url()).origin).toBe(site);
  });
});
