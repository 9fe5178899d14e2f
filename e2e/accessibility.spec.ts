/**
 * axe-core finds no violations on any page, in both colour modes, at three widths and in both languages (colours are
 * the same in both).
 */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { newAdminUrl } from './support/admin-link.ts';
import { expectNoViolations, expectNoViolationsInBothModes, WIDTHS } from './support/axe.ts';
import { baseUrl } from './support/shared-instance.ts';
import { cookiesOf, type Viewer } from './support/viewer.ts';

type Visit = (page: Page) => Promise<unknown>;

const visitPath =
  (path: string): Visit =>
  (page) =>
    page.goto(baseUrl() + path);

const PAGES: [name: string, visitor: Viewer, visit: Visit][] = [
  ['sign in', 'signed out', visitPath('/login')],
  ['sign in, in German', 'signed out', visitPath('/login?lang=de')],
  ['sign up by phone', 'signed out', visitPath('/login?mode=sign-up&with=phone')],
  ['sign in with invalid fields', 'signed out', visitProblems],
  [
    'confirm without a link',
    'signed out',
    visitPath('/confirm?error=access_denied&error_description=expired'),
  ],
  ['not found', 'signed out', visitPath('/nothing-here')],
  ['not found, signed in', 'user', visitPath('/nothing-here')],
  ['home', 'user', visitPath('/')],
  ['home, in German', 'user', visitPath('/?lang=de')],
  ['admins only', 'user', visitPath('/admin')],
  ['claim', 'user', async (page) => page.goto(await newAdminUrl())],
  ['overview', 'admin', visitPath('/admin')],
  ['policies', 'admin', visitPath('/admin/policies?in=*')],
  [
    'policies of a table, in German',
    'admin',
    visitPath('/admin/policies?schema=storage&table=objects&lang=de'),
  ],
  ['advisors', 'admin', visitPath('/admin/policies?view=advisors')],
  ['logs', 'admin', visitPath('/admin/logs')],
  ['changes', 'admin', visitPath('/admin/logs?tab=changes')],
  ['users', 'admin', visitPath('/admin/users')],
  ['structure', 'admin', visitPath('/admin/tables/structure?schema=auth')],
  ['diagram', 'admin', visitPath('/admin/tables/diagram?schema=auth')],
  ['users, in German', 'admin', visitPath('/admin/users?lang=de')],
  ['tables', 'admin', visitPath('/admin/tables')],
  ['settings', 'admin', visitPath('/admin/settings')],
  ['settings, in German', 'admin', visitPath('/admin/settings?section=connections&lang=de')],
];

/** Names of pages that are dark regardless of the chosen colour mode, in addition to those for admins. */
const ALWAYS_DARK = ['admins only', 'claim'];

for (const [name, viewer, visit] of PAGES) {
  const isDark = viewer === 'admin' || ALWAYS_DARK.includes(name);
  const hasOneMode = isDark || name.endsWith('in German');
  const check = hasOneMode ? expectNoViolations : expectNoViolationsInBothModes;
  test(`axe finds no violations on the page: ${name}`, async ({ browser }) => {
    await withPage(browser, { colorScheme: 'light', viewer }, async (page) => {
      await visit(page);
      await check(page);
    });
  });
}

test('axe finds no violations on the home page while the account menu is open', async ({ browser }) => {
  await withPage(browser, { colorScheme: 'light', viewer: 'user' }, async (page) => {
    await page.goto(baseUrl());
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('button', { name: /^Account of/ }).click();
      await expect(page.getByRole('button', { name: 'Sign out everywhere' })).toBeVisible();
      await expectNoViolationsInBothModes(page, '', [width]);
      await page.keyboard.press('Escape');
    }
  });
});

test('axe finds no violations while the next page is loading', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.waitForLoadState('networkidle');
  // The handler never responds, so the page stays in its loading state.
  await page.route('**/*_payload.json*', () => {});
  await page.getByRole('link', { name: 'Create account' }).click();
  await expect(page.getByRole('progressbar', { name: 'Loading page' })).toBeAttached();
  await expectNoViolations(page);
});

for (const path of ['/login', '/login?mode=sign-up&lang=de']) {
  test(`${path} does not scroll horizontally at 320 px`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(baseUrl() + path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
}

interface PageOptions {
  colorScheme: 'light' | 'dark';
  viewer: Viewer;
}

async function withPage(
  browser: Browser,
  { colorScheme, viewer }: PageOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const storageState = await cookiesOf(viewer, browser);
  const context = await browser.newContext({
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    storageState,
  });
  await use(await context.newPage());
  await context.close();
}

async function visitProblems(page: Page): Promise<void> {
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true');
}
