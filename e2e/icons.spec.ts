/**
 * Icons: the HTML contains those that it shows, scripts fetch further ones in batches, and no other host is involved.
 */
import { expect, type Page, test } from '@playwright/test';
import { removeDataFolder, startInstance } from './support/instance.ts';
import { newPerson, signUpByForm, submitCredentials } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';
import { baseUrl } from './support/shared-instance.ts';

function recordIconRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.includes('/_icons/')) requests.push(pathname + search);
  });
  return requests;
}

/** Ids that `use` elements reference but the document does not contain. */
const missing = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('use')]
      .map((use) => use.getAttribute('href')?.slice(1) ?? '')
      .filter((id) => !document.getElementById(id)),
  );

test('the HTML contains exactly the icons that it shows, and none is requested again', async ({ page }) => {
  const html = await (await fetch(`${baseUrl()}/login`, { headers: { accept: 'text/html' } })).text();
  const used = [...html.matchAll(/<use href="#([^"]+)"/g)].map(([, id]) => id);
  const embedded = [...html.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(embedded)).toEqual(new Set(used));
  expect(embedded.length).toBe(new Set(embedded).size);
  const requests = recordIconRequests(page);
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  const requestedNames = requests.flatMap((request) => request.split('icons=')[1]?.split(',') ?? []);
  expect(requestedNames.filter((name) => embedded.includes(`i-lucide-${name}`))).toEqual([]);
  await expect.poll(() => missing(page)).toEqual([]);
});

test('requests further icons in batches and each one once', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  const requests = recordIconRequests(page);
  await signUpByClientNavigation(page);
  await page.waitForLoadState('networkidle');
  await expect.poll(() => missing(page)).toEqual([]);
  expect(requests.length).toBeGreaterThan(0);
  for (const request of requests) expect(request).toMatch(/^\/api\/_icons\/lucide\.json\?icons=[a-z0-9,-]+$/);
  const names = requests.flatMap((request) => request.split('icons=')[1]?.split(',') ?? []);
  expect(names).toHaveLength(new Set(names).size);
});

/** Signs up by client navigation, without loading a new document. */
async function signUpByClientNavigation(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create account' }).click();
  await submitCredentials(page, newPerson(), 'Create account');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
}

test('renders the page without icons if the icon service fails', async ({ page }) => {
  await page.route('**/_icons/**', (route) => route.abort());
  await signUpByForm(page);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('removes scripts and event handlers from fetched icons', async ({ page }) => {
  const body = '<script>window.hacked = 1</script><path d="M0 0h9" onload="window.hacked = 2"/>';
  await page.route('**/_icons/**', (route) => {
    const names = new URL(route.request().url()).searchParams.get('icons')?.split(',') ?? [];
    const icons = Object.fromEntries(names.map((name) => [name, { body, width: 24, height: 24 }]));
    return route.fulfill({ json: { prefix: 'lucide', icons } });
  });
  await page.goto(`${baseUrl()}/login`);
  await signUpByClientNavigation(page);
  await expect.poll(() => missing(page)).toEqual([]);
  expect(await page.locator('symbol script, symbol [onload]').count()).toBe(0);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
});

test('the icon endpoint works below a base path and supports HEAD', async ({ page }) => {
  const folder = await newPreparedFolder();
  const instance = await startInstance(folder, { GREENROOM_BASE_URL: '/app/' });
  try {
    const url = `${instance.url}/app/api/_icons/lucide.json?icons=check,no-such`;
    const response = await fetch(url);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toContain('max-age=604800');
    expect(await response.json()).toMatchObject({
      prefix: 'lucide',
      icons: { check: {} },
      not_found: ['no-such'],
    });
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${instance.url}/app/api/_icons/mdi.json?icons=a`)).status).toBe(404);
    expect((await fetch(`${instance.url}/app/api/_icons/lucide.json?icons=a&icons=b`)).status).toBeLessThan(
      500,
    );
    await page.goto(`${instance.url}/app/login`);
    await page.waitForLoadState('networkidle');
    await expect.poll(() => missing(page)).toEqual([]);
  } finally {
    await instance.stop();
    await removeDataFolder(folder);
  }
});
