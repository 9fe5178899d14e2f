/** Pages with the values of a greenroom.config.ts, and without a build of the product. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readProduct } from '@greenroom/product';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const CONFIG = `
export default {
  name: 'Todos & <Co>',
  logo: 'logo.svg',
  colours: { primary: 'blue', neutral: 'zinc' },
  languages: ['de'],
  navigation: [
    { path: '/prices', label: 'Preise', icon: 'tag', for: 'everyone' },
    { path: '/todos', label: 'Aufgaben', icon: 'list-todo', keys: 'g t' },
  ],
  pages: { account: false, consent: false },
  csp: { scripts: ['https://js.stripe.com'], frames: ['https://js.stripe.com'] },
};
`;
const SECRET = 'only-for-the-author';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg"/>';

let folder: string;
let greenroom: Greenroom;

async function product() {
  const found = await readProduct(folder);
  return found ?? expect.unreachable('no product');
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(greenroom.url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });

/** Requests a path as it is; `fetch` removes dots from it. */
async function getUnchanged(path: string): Promise<string> {
  const socket = connect(Number(new URL(greenroom.url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-product-'));
  await mkdir(join(folder, 'app/public/docs'), { recursive: true });
  await writeFile(join(folder, 'app/public/logo.svg'), LOGO);
  await writeFile(join(folder, 'app/public/favicon.svg'), LOGO);
  await writeFile(join(folder, 'app/public/docs/a b.txt'), 'text');
  await mkdir(join(folder, 'app/public/.git'));
  await mkdir(join(folder, 'app/public/.well-known'));
  await writeFile(join(folder, 'app/public/.well-known/security.txt'), 'Contact: mailto:a@example.org');
  for (const name of ['secret.txt', 'public/.env', 'public/.git/config'])
    await writeFile(join(folder, 'app', name), SECRET);
  await symlink(folder, join(folder, 'app/public/linked'));
  await symlink(join(folder, 'app/secret.txt'), join(folder, 'app/public/link.txt'));
  await writeFile(join(folder, 'greenroom.config.ts'), CONFIG);
  const config = loadConfig({
    PORT: String(await freePort()),
    SUPABASE_URL: 'http://127.0.0.1:1',
    SUPABASE_ANON_KEY: 'anon',
    LOG_LEVEL: 'silent',
  });
  greenroom = await startGreenroom({ config, product: await product(), pages: 'built' });
});

afterAll(async () => {
  await greenroom?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('greenroom.config.ts', () => {
  it('names the product in titles, the brand and the web app manifest', async () => {
    const html = await (await get('/login')).text();
    expect(html).toContain('| Todos &amp; &lt;Co&gt;</title>');
    expect(html).toContain('<meta property="og:site_name" content="Todos &amp; &lt;Co&gt;"/>');
    expect(html).not.toContain('Greenroom');
    expect(html).toContain('<img src="/logo.svg" alt=""');
    const manifest = await (await get('/manifest.webmanifest')).json();
    expect(manifest).toMatchObject({ name: 'Todos & <Co>', short_name: 'Todos & <Co>' });
    expect(await (await get('/missing')).text()).toContain('| Todos &amp; &lt;Co&gt;</title>');
  });

  it('sets the colours by a stylesheet of the same origin', async () => {
    const html = await (await get('/login')).text();
    const [, path = ''] =
      /<link rel="stylesheet" href="(\/greenroom-colours-[0-9a-f]{8}\.css)"/.exec(html) ?? [];
    const response = await get(path);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const css = await response.text();
    expect(css).toMatch(/--ui-color-primary-500: oklch\(62\.3% 0\.214 259\.815\);/);
    expect(css).toContain('--solid: light-dark(var(--ui-color-primary-700), var(--ui-color-primary-400));');
    expect(css).toContain('--ui-color-neutral-950: ');
  });

  it('restricts the languages, and shows no switch for one', async () => {
    const response = await get('/login', { 'accept-language': 'en', cookie: 'greenroom-language=en' });
    const html = await response.text();
    expect(html).toContain('<html lang="de"');
    expect(html).not.toContain('hrefLang="en"');
    expect((await get('/login?lang=en')).status).toBe(200);
  });

  it('adds pages to the navigation of visitors', async () => {
    const html = await (await get('/')).text();
    expect(html).toMatch(/<a [^>]*href="\/prices"[^>]*>Preise<\/a>/);
    expect(html).not.toMatch(/<a [^>]*href="\/todos"/);
  });

  it('switches built-in pages off', async () => {
    expect((await get('/account')).status).toBe(404);
    expect((await get('/account/_payload.json')).status).toBe(404);
    expect((await get('/oauth/consent')).status).toBe(404);
    expect((await get('/admin')).status).toBe(302);
  });

  it('adds sources to the content security policy', async () => {
    const policy = (await get('/login')).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src [^;]*https:\/\/js\.stripe\.com 'nonce-/);
    expect(policy).toMatch(/frame-src [^;]*https:\/\/js\.stripe\.com/);
    expect(policy).toMatch(/connect-src (?:(?!stripe)[^;])*;/);
  });

  it('serves public files of the product, also in place of built-in ones', async () => {
    for (const name of ['/logo.svg', '/favicon.svg']) {
      const response = await get(name);
      expect([response.status, await response.text()]).toEqual([200, LOGO]);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const etag = response.headers.get('etag') ?? '';
      expect((await get(name, { 'if-none-match': etag })).status).toBe(304);
    }
    expect(await (await get('/docs/a%20b.txt')).text()).toBe('text');
    expect(await (await get('/.well-known/security.txt')).text()).toContain('Contact');
    expect((await get('/icon-192.png')).status).toBe(200);
  });

  it.each([
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/docs/..%2f..%2fsecret.txt',
    '/docs',
    '/.env',
    '/.git/config',
    '/linked/app/secret.txt',
    '/link.txt',
  ])('serves no other file of the product: %s', async (path) => {
    const response = await getUnchanged(path);
    expect(response).toMatch(/^HTTP\/1\.1 (?:400|404) /);
    expect(response).not.toContain(SECRET);
  });

  it('responds with 404 after a public file was removed', async () => {
    await rm(join(folder, 'app/public/docs/a b.txt'));
    expect((await get('/docs/a%20b.txt')).status).toBe(404);
  });

  it('applies changed values to running pages', async () => {
    await writeFile(join(folder, 'greenroom.config.ts'), `export default { name: 'Second' };`);
    await greenroom.applyProduct(await product());
    expect(await (await get('/login')).text()).toContain('| Second</title>');
    expect((await get('/account')).status).toBe(302);
    await greenroom.applyProduct(undefined);
    expect(await (await get('/login')).text()).toContain('| Greenroom</title>');
  });
});
