/** The pages of a product, built together with the built-in ones: `e2e/products/shop`. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { productBuild } from '@greenroom/app/build';
import { ensureBuild } from '@greenroom/builds';
import { readProduct } from '@greenroom/product';
import { freePort } from '@greenroom/testing';
import { createServerClient } from '@supabase/ssr';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const FOLDER = join(import.meta.dirname, '../e2e/products/shop');
const PASSWORD = 'correct horse battery';
const KIB = 1000;
const LEAK = `
import { adminSupabase } from 'greenroom/app/server';
export default function Leak() {
  return <button onClick={() => adminSupabase({} as never)}>x</button>;
}
`;

let dataFolder: string;
let greenroom: Greenroom;
/** Cookies of a user, and of an administrator. */
let user: string;
let admin: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'greenroom-shop-'));
  await chmod(dataFolder, 0o711);
  const product = (await readProduct(FOLDER)) ?? expect.unreachable('no product');
  await ensureBuild(productBuild(product), () => {});
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DB_PORT: '0',
    GREENROOM_DATA_DIR: dataFolder,
    GREENROOM_MAILBOX_ENABLED: 'false',
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
    LOG_LEVEL: 'silent',
  });
  const project = { project: { folder: FOLDER, supabaseFolder: join(FOLDER, 'supabase') }, name: 'shop' };
  greenroom = await startGreenroom({ config, project, product, pages: 'built' });
  user = await signUp('ada@example.org', {});
  admin = await signUp('grace@example.org', { role: 'admin' });
}, 180_000);

afterAll(async () => {
  await greenroom?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

async function signUp(email: string, app_metadata: Record<string, unknown>): Promise<string> {
  const { anon = '', serviceRole = '' } = greenroom.backend?.apiKeys ?? {};
  const service = createClient(greenroom.url, serviceRole, { auth: { persistSession: false } });
  await service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true, app_metadata });
  const cookies = new Map<string, string>();
  const client = createServerClient(greenroom.url, anon, {
    cookies: {
      getAll: () => [],
      setAll: (list) => {
        for (const { name, value } of list) cookies.set(name, value);
      },
    },
  });
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  return Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
}

function send(path: string, cookie = '', init: RequestInit = {}): Promise<Response> {
  const headers = { accept: 'text/html', cookie, ...init.headers };
  return fetch(greenroom.url + path, { redirect: 'manual', ...init, headers });
}

async function buildId(): Promise<string> {
  return (await (await send('/assets/builds/latest.json')).json()).id;
}

describe('pages of a product', () => {
  it('are open to all visitors with the guard public', async () => {
    const html = await (await send('/')).text();
    expect(html).toContain('<title>Start | Shop</title>');
    expect(html).toContain('Willkommen im Laden');
  });

  it('require a session without a guard, and save the path', async () => {
    const response = await send('/items?a=b');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login']);
    expect(response.headers.getSetCookie().join()).toMatch(/redirect-path=.*items%3Fa%3Db/);
    const payload = await send(`/items/_payload.json?${await buildId()}`);
    expect([payload.status, payload.headers.get('location')]).toEqual([
      302,
      `/login/_payload.json?${await buildId()}`,
    ]);
  });

  it('require the role of administrators with the guard admin, also for data', async () => {
    expect((await send('/report')).status).toBe(302);
    for (const path of ['/report', `/report/_payload.json?${await buildId()}`, '/report.data']) {
      const refused = await send(path, user);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(await refused.text()).not.toContain('ada@example.org"}');
    }
    expect(await (await send('/report', admin)).text()).toContain('grace@example.org</h1>');
  });

  it('have the guard of their layout if that is stricter, also without a path', async () => {
    expect((await send('/shifts')).status).toBe(302);
    expect((await send('/shifts', user)).status).toBe(403);
    expect((await send('/shifts', admin)).status).toBe(200);
    // The layout has no path, as the home page.
    expect((await send('/')).status).toBe(200);
  });

  it('load and change rows as the user, under row level security', async () => {
    const body = new URLSearchParams({ title: 'Lampe' });
    const added = await send('/items', user, { method: 'POST', body });
    expect([added.status, added.headers.get('location')]).toEqual([302, '/items']);
    const html = await (await send('/items', user)).text();
    expect(html).toContain('<title>Artikel | Shop</title>');
    expect(html).toMatch(/<a [^>]*href="\/items\/1"[^>]*>Lampe<\/a>/);
    expect(html).toContain('Hinzufügen');
    expect(await (await send('/items', admin)).text()).not.toContain('Lampe');
  });

  it('have parameters in paths, layouts, and the error page', async () => {
    const html = await (await send('/items/1', user)).text();
    expect(html).toContain('class="shop-list"');
    expect(html.replaceAll('<!-- -->', '')).toContain('1: Lampe</p>');
    const missing = await send('/items/2', user);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('data-error-status="404"');
  });

  it('have a payload with the data of all routes of the page', async () => {
    const { data } = await (await send(`/items/1/_payload.json?${await buildId()}`, user)).json();
    expect(data).toMatchObject({
      'product/items': { items: [{ id: 1, title: 'Lampe' }] },
      'product/items.$id': { title: 'Lampe' },
    });
  });

  it('stream pending data', async () => {
    const html = await (await send('/slow')).text();
    expect(html).toContain('gleich');
    expect(html).toContain('später');
  });

  it('appear in the sidebar', async () => {
    expect(await (await send('/items', user)).text()).toMatch(/<a [^>]*href="\/items"[^>]*>.*?Artikel<\/a>/);
  });
});

describe('routes of a product without a page', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('receive %s with any body and header', async (method) => {
    const headers = { 'content-type': 'application/json', 'x-signature': 'abc' };
    const response = await send('/api/echo', '', { method, headers, body: '{"a":1}' });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ method, signature: 'abc', body: '{"a":1}' });
  });

  it('reject requests from pages of other sites, and large bodies', async () => {
    const other = { method: 'POST', headers: { origin: 'https://other.example' }, body: 'a' };
    expect((await send('/api/echo', '', other)).status).toBe(403);
    const large = { method: 'POST', body: 'a'.repeat(1024 * 1024 + 1) };
    expect((await send('/api/echo', '', large)).status).toBe(413);
  });

  it('respond with 401 to programs without a session', async () => {
    const accept = { headers: { accept: 'application/json' } };
    expect((await send('/api/me', '', accept)).status).toBe(401);
    expect(await (await send('/api/me', user, accept)).json()).toEqual({ email: 'ada@example.org' });
  });

  it('require a session without a guard', async () => {
    const accept = { headers: { accept: 'application/json' } };
    expect((await send('/api/me', '', accept)).status).toBe(401);
    expect((await send('/api/me', '', { ...accept, method: 'POST', body: '{}' })).status).toBe(401);
    expect((await send('/api/me', '')).headers.get('location')).toBe('/login');
  });

  it('read all rows with the service key, and know the public URL of a page', async () => {
    await send('/items', user, { method: 'POST', body: new URLSearchParams({ title: 'Stuhl' }) });
    const { count, page } = await (await send('/api/summary')).json();
    expect(count).toBeGreaterThan(0);
    expect(page).toBe(`${greenroom.url}/items`);
  });

  it('leave the rules for forms of pages unchanged', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await send('/items.data', user, { method: 'POST', headers, body: '{}' })).status).toBe(415);
    expect((await send('/items', user, { method: 'POST', headers, body: '{}' })).status).toBe(415);
    expect((await send('/items', user, { method: 'PUT', headers, body: '{}' })).status).toBe(405);
  });
});

describe('built-in pages that a product replaces', () => {
  it('have the data, the form and the title of an original that they import', async () => {
    const html = await (await send('/login')).text();
    expect(html.replaceAll('<!-- -->', '')).toContain('<p>Der Laden öffnet um 9:00.</p>');
    expect(html).toContain('<title>Anmelden | Shop</title>');
    expect(html).toMatch(/<input [^>]*name="password"/);
    const { data } = await (await send(`/login/_payload.json?${await buildId()}`)).json();
    expect(data).toMatchObject({ 'routes/login': { methods: {}, opensAt: '9:00' } });
  });

  it('sign in by the action of the original, and pass on the redirects of its loader', async () => {
    const login = (fields: Record<string, string>) =>
      send('/login', '', {
        method: 'POST',
        body: new URLSearchParams({ email: 'ada@example.org', ...fields }),
      });
    const refused = await login({ password: 'wrong password' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
    const accepted = await login({ password: PASSWORD });
    expect([accepted.status, accepted.headers.get('location')]).toEqual([302, '/']);
    const cookie = accepted.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    expect((await send('/items', cookie)).status).toBe(200);
    const again = await send('/login', cookie);
    expect([again.status, again.headers.get('location')]).toEqual([302, '/']);
  });

  it('may have another title for the component and the loader of the original', async () => {
    const html = await (await send('/confirm?error=access_denied&error_code=otp_expired')).text();
    expect(html).toContain('<title>Kundenlink | Shop</title>');
    expect(html).toContain('Dieser Link ist abgelaufen');
  });

  it('may be replaced as a whole, such as the page for all other paths', async () => {
    const response = await send('/nowhere');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('Das Regal ist leer</h1>');
  });

  it('may have a replaced part', async () => {
    const html = await (await send('/account', user)).text();
    expect(html).toMatch(/<section aria-label="Kundenkarte">[\s\S]*name="fullName"/);
  });
});

describe('docs/reference/product.md', () => {
  it('shows the replaced sign-in page of this product', async () => {
    const page = await readFile(join(FOLDER, 'app/routes/login.tsx'), 'utf8');
    const docs = await readFile(join(import.meta.dirname, '../docs/reference/product.md'), 'utf8');
    expect(docs).toContain(`\`\`\`tsx\n// app/routes/login.tsx\n${page}\`\`\`\n`);
  });
});

describe('files of a product', () => {
  it('replace a part of all pages, and may import the original', async () => {
    expect(await (await send('/account', user)).text()).toContain('data-shop="header"');
  });

  it('add styles with tokens and utilities', async () => {
    const html = await (await send('/login')).text();
    const [, path = ''] = /<link[^>]*href="(\/assets\/[^"]+\.css)"/.exec(html) ?? [];
    const css = await (await send(path)).text();
    expect(css).toMatch(/\.shop-list\{[^}]*outline:7px solid var\(--ui-primary\)/);
    expect(css).toContain('border-bottom-width:3px');
  });

  it('are served from app/public', async () => {
    expect(await (await send('/shop.txt')).text()).toBe('Allow: /shop\n');
  });
});

describe('the build of a product', () => {
  it('names no folder of the machine, and keeps code of loaders from browsers', async () => {
    const assets = join(FOLDER, 'build/client/assets');
    const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(names.map((name) => readFile(join(assets, name), 'utf8')));
    expect(names.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes(FOLDER) || text.includes('products/shop'))).toEqual([]);
    expect(texts.filter((text) => text.includes(".order('id')") || text.includes('x-signature'))).toEqual([]);
    // The loader of the built-in sign-in page, which the product imports.
    const ofOriginal = /searchParams\.get\([`"']provider[`"']\)/;
    const server = await readFile(join(FOLDER, 'build/server/index.js'), 'utf8');
    expect(server).toMatch(ofOriginal);
    expect(texts.filter((text) => ofOriginal.test(text) || text.includes('9:00'))).toEqual([]);
  });

  it('is made again after a change of a module outside of app/', async () => {
    const product = (await readProduct(FOLDER)) ?? expect.unreachable('no product');
    const { furtherSources, target } = productBuild(product);
    expect(await furtherSources?.(target)).toContain(join(FOLDER, 'shared/price.ts'));
    expect(JSON.stringify(await furtherSources?.(target))).not.toContain('node_modules');
  });

  it('stops with the file if code for the server would reach browsers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-leak-'));
    await mkdir(join(folder, 'app/routes'), { recursive: true });
    await writeFile(join(folder, 'greenroom.config.ts'), 'export default {};');
    await writeFile(join(folder, 'app/routes/leak.tsx'), LEAK);
    const product = (await readProduct(folder)) ?? expect.unreachable('no product');
    await expect(ensureBuild(productBuild(product), () => {})).rejects.toThrow(
      /^The build of the pages of the product failed \(exit 1\):\napp\/routes\/leak\.tsx: greenroom\/app\/server would reach browsers\. [^\n]*$/,
    );
    await rm(folder, { recursive: true });
  });

  it.each([
    ['/login', 130],
    ['/', 150],
  ])('loads for %s at most %i KB of scripts', async (path, limit) => {
    const html = await (await send(path)).text();
    const paths = new Set([...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, found = '']) => found));
    const own = [...paths].filter((found) =>
      new RegExp(`(?:modulepreload|import)[^>]*"${found}"`).test(html),
    );
    const sizes = await Promise.all(
      own.map(async (found) => gzipSync(await (await send(found)).bytes()).length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0) / KIB;
    expect(total).toBeGreaterThan(50);
    expect(total).toBeLessThanOrEqual(limit);
  });
});
