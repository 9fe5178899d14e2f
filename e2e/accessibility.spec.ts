/** axe-core finds nothing, on any page, in both modes, at two widths. */
import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { signUp } from './support/person.ts';
import { baseUrl, newAdminUrl } from './support/shared-instance.ts';

const PAGES: [name: string, visit: (page: Page) => Promise<unknown>][] = [
  ['sign in', (page) => page.goto(`${baseUrl()}/login`)],
  ['sign up by phone', (page) => page.goto(`${baseUrl()}/login?mode=sign-up&with=phone`)],
  ['sign in with problems', visitProblems],
  [
    'confirm without a link',
    (page) => page.goto(`${baseUrl()}/confirm?error=access_denied&error_description=expired`),
  ],
  ['home', (page) => signUp(page)],
  ['home with its menu open', visitMenu],
  ['admins only', (page) => signUp(page).then(() => page.goto(`${baseUrl()}/admin`))],
  ['claim', (page) => signUp(page).then(async () => page.goto(await newAdminUrl()))],
  ['admin', visitAdmin],
  ['not found', (page) => page.goto(`${baseUrl()}/nothing-here`)],
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    for (const [name, visit] of PAGES) {
      test(`${name}, ${colorScheme}, ${width} px`, async ({ browser }) => {
        await withPage(browser, { colorScheme, viewport: { width, height: 800 } }, async (page) => {
          await visit(page);
          await page.waitForLoadState('networkidle');
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
          ).toEqual([]);
        });
      });
    }
  }
}

async function withPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  await use(await context.newPage());
  await context.close();
}

async function visitProblems(page: Page): Promise<void> {
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true');
}

async function visitMenu(page: Page): Promise<void> {
  await signUp(page);
  await page.getByRole('button', { name: /^Account of/ }).click();
}

async function visitAdmin(page: Page): Promise<void> {
  await signUp(page);
  await page.goto(await newAdminUrl());
  await page.getByRole('button', { name: 'Become the administrator' }).click();
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
}
