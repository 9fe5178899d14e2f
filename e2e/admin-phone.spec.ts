/** The admin area at the width of a phone. */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { baseUrl } from './support/shared-instance.ts';
import { cookiesOf } from './support/viewer.ts';

const WIDTH = 390;
const SECTIONS = [
  '/admin',
  '/admin/users',
  '/admin/tables',
  '/admin/policies',
  '/admin/sql',
  '/admin/mailbox',
  '/admin/logs',
  '/admin/settings',
];
/** Pages with choices in a row. */
const CHOICES = [
  '/admin',
  '/admin/policies',
  '/admin/policies?schema=auth&table=users',
  '/admin/policies?schema=auth&table=users&tab=try',
  '/admin/policies?view=advisors',
  '/admin/mailbox',
  '/admin/mailbox?view=templates',
  '/admin/mailbox?view=deliveries',
  '/admin/logs',
  '/admin/logs?tab=changes',
];

/** Runs `use` on a page of a phone that is signed in as an admin. */
async function onPhone(browser: Browser, use: (page: Page) => Promise<void>): Promise<void> {
  const storageState = await cookiesOf('admin', browser);
  const viewport = { width: WIDTH, height: 844 };
  const context = await browser.newContext({ storageState, locale: 'en-GB', viewport });
  await use(await context.newPage());
  await context.close();
}

test('choices fit the width of a phone in English and in German', async ({ browser }) => {
  await onPhone(browser, async (page) => {
    const tooWide: string[] = [];
    let count = 0;
    for (const language of ['en', 'de']) {
      await page.goto(`${baseUrl()}/admin?lang=${language}`);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      for (const path of CHOICES) {
        await page.goto(baseUrl() + path);
        const options = await page.locator('main').locator('nav > a, fieldset > label').evaluateAll(measure);
        const isPageTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        count += options.length;
        if (isPageTooWide) tooWide.push(`${language} ${path}`);
        for (const { text, isCut } of options) if (isCut) tooWide.push(`${language} ${path}: ${text}`);
      }
    }
    expect(count).toBeGreaterThan(2 * 2 * CHOICES.length);
    expect(tooWide).toEqual([]);
  });
});

/** Returns whether each option, or its text, exceeds the row of its options. */
function measure(options: (HTMLElement | SVGElement)[]): { text: string | null; isCut: boolean }[] {
  return options.map((option) => {
    const row = option.parentElement?.getBoundingClientRect();
    const { left, right } = option.getBoundingClientRect();
    const isInside = row !== undefined && left >= row.left && right <= row.right && right <= innerWidth;
    return { text: option.textContent, isCut: !isInside || option.scrollWidth > option.clientWidth };
  });
}

test('the navigation scrolls to the open section on a phone', async ({ browser }) => {
  await onPhone(browser, async (page) => {
    const current = page.getByRole('navigation', { name: 'Admin' }).locator('[aria-current]');
    for (const path of [...SECTIONS, '/admin/tables/structure', '/admin/tables/diagram']) {
      await page.goto(baseUrl() + path);
      await expect(current).toHaveCount(1);
      await expect(current).toBeInViewport({ ratio: 1 });
    }
    await page.goto(`${baseUrl()}/admin`);
    await page.waitForLoadState('networkidle');
    for (const name of ['Settings', 'Overview']) {
      await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name }).click();
      await expect(current).toHaveText(name);
      await expect(current).toBeInViewport({ ratio: 1 });
    }
  });
});
