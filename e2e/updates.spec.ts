/** What happens in open tabs when the server gets a newer build. */
import { expect, type Page, type Route, test } from '@playwright/test';
import { removeDataFolder, startInstance } from './support/instance.ts';
import { signUpByForm } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';
import { baseUrl } from './support/shared-instance.ts';

const NEWER = { id: 'ffffffffffffffff', timestamp: 1 };
const announce = (route: Route) => route.fulfill({ json: NEWER });

const isWhole = (page: Page) => page.evaluate(() => (window as { __mark?: boolean }).__mark === undefined);
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { __mark: true }));

test('the manifests name the build, and say how long they hold', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  const { buildId } = JSON.parse((await page.locator('#page-config').textContent()) ?? '');
  const latest = await fetch(`${baseUrl()}/assets/builds/latest.json`);
  expect(latest.headers.get('cache-control')).toBe('public, max-age=1');
  const { id, timestamp } = (await latest.json()) as typeof NEWER;
  expect(id).toBe(buildId);
  expect(timestamp).toBeGreaterThan(1_700_000_000_000);
  const meta = await fetch(`${baseUrl()}/assets/builds/meta/${buildId}.json`);
  expect(meta.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await meta.json()).toEqual({ id, timestamp, prerendered: [] });
  expect((await fetch(`${baseUrl()}/assets/builds/meta/${NEWER.id}.json`)).status).toBe(404);
});

test('a page asks for its own manifest once it is quiet', async ({ page }) => {
  const asked = page.waitForRequest(/\/assets\/builds\/meta\/[0-9a-f]{16}\.json$/);
  await page.goto(`${baseUrl()}/login`);
  await asked;
});

test.describe('with a newer build', () => {
  // Tests that are spread over workers would start an instance in each.
  test.describe.configure({ mode: 'default' });
  let url = '';
  let stop = async () => {};

  test.beforeAll(async () => {
    const folder = await newPreparedFolder();
    const instance = await startInstance(folder, { GREENROOM_BUILD_CHECK_SECONDS: '1' });
    url = instance.url;
    stop = async () => {
      await instance.stop();
      await removeDataFolder(folder);
    };
  });
  test.afterAll(() => stop());

  test('a page says so, and the button reloads it', async ({ page }) => {
    await page.route('**/builds/latest.json*', announce);
    await page.goto(`${url}/login`);
    const notice = page.getByText('A new version is ready').first();
    await expect(notice).toBeVisible();
    await mark(page);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => isWhole(page).catch(() => false)).toBe(true);
  });

  test('the next page is loaded whole', async ({ page }) => {
    await page.route('**/builds/latest.json*', announce);
    await page.goto(`${url}/login`);
    await expect(page.getByText('A new version is ready').first()).toBeVisible();
    await mark(page);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page).toHaveURL(`${url}/login?mode=sign-up`);
    await expect.poll(() => isWhole(page).catch(() => false)).toBe(true);
  });

  test('what was typed is not lost to a reload that nobody asked for', async ({ page }) => {
    await page.route('**/builds/latest.json*', announce);
    await page.goto(`${url}/login`);
    await expect(page.getByText('A new version is ready').first()).toBeVisible();
    await mark(page);
    await page.getByLabel('Email address').fill('half@');
    await hide(page);
    expect(await isWhole(page)).toBe(false);
    await page.getByLabel('Email address').fill('');
    await hide(page);
    await expect.poll(() => isWhole(page).catch(() => false)).toBe(true);
  });

  test('a payload of another build makes the page load whole', async ({ page }) => {
    await page.goto(`${url}/login`);
    await page.waitForLoadState('networkidle');
    await page.route('**/_payload.json*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), buildId: NEWER.id } });
    });
    await mark(page);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page).toHaveURL(`${url}/login?mode=sign-up`);
    await expect.poll(() => isWhole(page).catch(() => false)).toBe(true);
  });
});

/** As when somebody turns to another tab. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

test.describe('a file that is gone', () => {
  /** Code of the admin area is gone, as after a newer build whose predecessor is no longer kept. */
  async function loseAdmin(page: Page): Promise<{ documents: string[]; failed: string[] }> {
    const documents: string[] = [];
    const failed: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
    });
    await page.route(/\/assets\/admin-[\w-]+\.js$/, (route) => {
      failed.push(route.request().url());
      return route.fulfill({ status: 404, body: '' });
    });
    return { documents, failed };
  }
  const goToAdmin = (page: Page) =>
    page.evaluate(() => window.__reactRouterDataRouter.navigate('/admin?x=1'));

  test('is tried again by one reload of the page that was wanted; then it is an error', async ({ page }) => {
    await signUpByForm(page);
    await page.waitForLoadState('networkidle');
    const { documents, failed } = await loseAdmin(page);
    await goToAdmin(page);
    await expect.poll(() => documents).toEqual(['/admin']);
    await expect(page).toHaveURL(`${baseUrl()}/admin?x=1`);
    // The server's page needs no script to be seen.
    await expect(page.getByRole('heading').first()).toBeVisible();
    expect(failed.length).toBeGreaterThan(0);
    const guard = await page.evaluate(() => sessionStorage.getItem('app:reload'));
    expect(JSON.parse(guard ?? '')).toEqual({ path: '/admin?x=1', expires: expect.any(Number) });
  });

  test('is no reason for a second reload within ten seconds', async ({ page }) => {
    await signUpByForm(page);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      sessionStorage.setItem(
        'app:reload',
        JSON.stringify({ path: '/admin?x=1', expires: Date.now() + 10_000 }),
      );
    });
    const { documents } = await loseAdmin(page);
    await goToAdmin(page);
    await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
    expect(documents).toEqual([]);
    expect(await page.evaluate(() => window.__payload.error)).toMatchObject({
      phase: 'navigation',
      fatal: true,
    });
  });
});
