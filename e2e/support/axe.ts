/**
 * axe-core on a page as it stands. It runs right in the page and looks for violations only: the usual bridge to
 * Playwright opens a page of its own for every result, which takes six times as long.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { errors, expect, type Page } from '@playwright/test';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HEIGHT = 800;

/** Long enough to come alive. Pages that ask again and again are never idle. */
const IDLE_MS = 3000;

/** The rules that look at colours. A mode changes nothing else, so the second one is asked for these alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

const TABLET = 768;

/** Phone, tablet, desktop. */
export const WIDTHS = [390, TABLET, 1280];

/**
 * At each of the widths, axe finds nothing, and nothing is wider than the window. `where` is for the report. A page that
 * still comes alive would change while axe reads it: a button may show itself after its words were taken for hidden.
 */
export function expectNoViolations(page: Page, where = '', widths = WIDTHS): Promise<void> {
  return atEach(page, { where, widths }, expectNoViolationsNow);
}

/**
 * The same in the light and in the dark, of a page whose mode is that of its device. What a tablet shows has a phone or
 * a desktop, too, so its colours are looked at there.
 */
export async function expectNoViolationsInBothModes(page: Page, where = '', widths = WIDTHS): Promise<void> {
  await showMode(page, 'light');
  await expectNoViolations(page, where, widths);
  await showMode(page, 'dark');
  await atEach(page, { where, widths: widths.filter((width) => width !== TABLET) }, expectDarkNow);
  await showMode(page, 'light');
}

async function atEach(
  page: Page,
  { where, widths }: { where: string; widths: readonly number[] },
  check: (page: Page, where: string) => Promise<void>,
): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(ignoreTimeout);
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(twoFrames);
    await check(page, `${where} ${width} px`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${where} ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** axe finds nothing. Documents in frames are left out. */
export function expectNoViolationsNow(page: Page, where = ''): Promise<void> {
  return runAxe(page, where, {});
}

/** In the light and in the dark, whichever comes first; of a page whose mode is that of its device. */
export async function expectNoViolationsInBothModesNow(page: Page, where = ''): Promise<void> {
  await showMode(page, 'light');
  await expectNoViolationsNow(page, `${where}, light`);
  await showMode(page, 'dark');
  await expectDarkNow(page, where);
  await showMode(page, 'light');
}

function expectDarkNow(page: Page, where: string): Promise<void> {
  return expectNoColourViolationsNow(page, `${where}, dark`);
}

/** Fails where the page does not follow: what is looked at then would be the same mode twice. */
async function showMode(page: Page, mode: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: mode });
  await expect(page.locator('html')).toContainClass(mode);
  await page.evaluate(twoFrames);
}

/** The rules that look at colours find nothing, in the mode that the page has. */
export function expectNoColourViolationsNow(page: Page, where = ''): Promise<void> {
  return runAxe(page, where, { runOnly: [...COLOUR_RULES] });
}

async function runAxe(page: Page, where: string, options: { runOnly?: string[] }): Promise<void> {
  await expect(lastToShow(page), where).toBeVisible();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const found = await page.evaluate(async (wanted) => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'], iframes: false, ...wanted });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, options);
  expect(found, where).toEqual([]);
}

/** The palette's button: every page has it, and shows it when it has come alive. */
function lastToShow(page: Page) {
  return page.locator('button[aria-haspopup=dialog][aria-keyshortcuts]').first();
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}

/** Only then have media queries seen another size of the window. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
