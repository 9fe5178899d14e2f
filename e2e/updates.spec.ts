/** Open tabs after the server has got a newer build. */
import { expect, type Page, type Route, test } from '@playwright/test';
import { removeDataFolder, startInstance } from './support/instance.ts';
import { signUpByForm } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';
import { baseUrl } from './support/shared-instance.ts';

const NEWER_BUILD = { id: 'ffffffffffffffff', timestamp: 1 };
const fulfillWithNewerBuild = (route: Route) => route.fulfill({ json: NEWER_BUILD });

const isNewDocument = (page: Page) =>
  page.evaluate(() => (window as { __mark?: boolean }).__mark === undefined);
const markDocument = (page: Page) => page.evaluate(() => void Object.assign(window, { __mark: true }));

test('the build manifests contain the build id and have cache headers', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  const { buildId } = JSON.parse((await page.locator('#page-config').textContent()) ?? '');
  const latest = await fetch(`${baseUrl()}/assets/builds/latest.json`);
  expect(latest.headers.get('cache-control')).toBe('public, max-age=1');
  const { id, timestamp } = (await latest.json()) as typeof NEWER_BUILD;
  expect(id).toBe(buildId);
  expect(timestamp).toBeGreaterThan(1_700_000_000_000);
  const meta = await fetch(`${baseUrl()}/assets/builds/meta/${buildId}.json`);
  expect(meta.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await meta.json()).toEqual({ id, timestamp, prerendered: [] });
  expect((await fetch(`${baseUrl()}/assets/builds/meta/${NEWER_BUILD.id}.json`)).status).toBe(404);
});

test('a page requests the manifest of its own build', async ({ page }) => {
  const manifestRequest = page.waitForRequest(/\/assets\/builds\/meta\/[0-9a-f]{16}\.json$/);
  await page.goto(`${baseUrl()}/login`);
  await manifestRequest;
});

test.describe('with a newer build', () => {
  // Keeps these tests in one worker: each further worker would start another instance.
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

  test('announces the build and reloads the page by the button', async ({ page }) => {
    await page.route('**/builds/latest.json*', fulfillWithNewerBuild);
    await page.goto(`${url}/login`);
    const notice = page.getByText('New version available').first();
    await expect(notice).toBeVisible();
    await markDocument(page);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => isNewDocument(page).catch(() => false)).toBe(true);
  });

  test('loads the next page as a new document', async ({ page }) => {
    await page.route('**/builds/latest.json*', fulfillWithNewerBuild);
    await page.goto(`${url}/login`);
    await expect(page.getByText('New version available').first()).toBeVisible();
    await markDocument(page);
    await page.getByRole('link', { name: 'Create account' }).click();
    await expect(page).toHaveURL(`${url}/login?mode=sign-up`);
    await expect.poll(() => isNewDocument(page).catch(() => false)).toBe(true);
  });

  test('reloads a hidden tab only if no form has input', async ({ page }) => {
    await page.route('**/builds/latest.json*', fulfillWithNewerBuild);
    await page.goto(`${url}/login`);
    await expect(page.getByText('New version available').first()).toBeVisible();
    await markDocument(page);
    await page.getByLabel('Email address').fill('half@');
    await hideTab(page);
    expect(await isNewDocument(page)).toBe(false);
    await page.getByLabel('Email address').fill('');
    await hideTab(page);
    await expect.poll(() => isNewDocument(page).catch(() => false)).toBe(true);
  });

  test('loads a new document if a payload is of another build', async ({ page }) => {
    await page.goto(`${url}/login`);
    await page.waitForLoadState('networkidle');
    await page.route('**/_payload.json*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), buildId: NEWER_BUILD.id } });
    });
    await markDocument(page);
    await page.getByRole('link', { name: 'Create account' }).click();
    await expect(page).toHaveURL(`${url}/login?mode=sign-up`);
    await expect.poll(() => isNewDocument(page).catch(() => false)).toBe(true);
  });
});

/** Simulates that the user switches to another tab. */
async function hideTab(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

test.describe('a missing script', () => {
  /** Answers 404 for the script of the admin area, as after an update whose previous build is deleted. */
  async function failAdminScript(page: Page): Promise<{ documents: string[]; failed: string[] }> {
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

  test('reloads the requested page once', async ({ page }) => {
    await signUpByForm(page);
    await page.waitForLoadState('networkidle');
    const { documents, failed } = await failAdminScript(page);
    await goToAdmin(page);
    await expect.poll(() => documents).toEqual(['/admin']);
    await expect(page).toHaveURL(`${baseUrl()}/admin?x=1`);
    // The server-rendered page is visible without the script.
    await expect(page.getByRole('heading').first()).toBeVisible();
    expect(failed.length).toBeGreaterThan(0);
    const guard = await page.evaluate(() => sessionStorage.getItem('app:reload'));
    expect(JSON.parse(guard ?? '')).toEqual({ path: '/admin?x=1', expires: expect.any(Number) });
  });

  test('shows an error instead of a second reload within ten seconds', async ({ page }) => {
    await signUpByForm(page);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      sessionStorage.setItem(
        'app:reload',
        JSON.stringify({ path: '/admin?x=1', expires: Date.now() + 10_000 }),
      );
    });
    const { documents } = await failAdminScript(page);
    await goToAdmin(page);
    await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
    expect(documents).toEqual([]);
    expect(await page.evaluate(() => window.__payload.error)).toMatchObject({
      phase: 'navigation',
      fatal: true,
    });
  });
});
