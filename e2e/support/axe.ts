/**
 * Runs axe-core on the current state of a page. It runs directly in the page and reports violations only: Playwright's
 * usual integration opens a new page for every result, which takes six times as long.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { errors, expect, type Page } from '@playwright/test';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HEIGHT = 800;

/** Long enough for hydration. Pages that poll are never idle. */
const IDLE_MS = 3000;

/** The rules that check colours. A mode changes nothing else, so only these are checked in the second one. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

const TABLET = 768;

/** Phone, tablet, desktop. */
export const WIDTHS = [390, TABLET, 1280];

/**
 * Expects that axe finds no violations at each of the widths, and that nothing is wider than the window. `where`
 * appears in the report. A page that is still hydrating would change during the check: a button may appear after its
 * text was classified as hidden.
 */
export function expectNoViolations(page: Page, label = '', widths = WIDTHS): Promise<void> {
  return atEachWidth(page, { label, widths }, expectNoViolationsNow);
}

/**
 * The same in light and dark mode, for a page that follows the device's mode. The layout of a tablet consists of parts
 * of those of a phone or a desktop, so its colours are checked there.
 */
export async function expectNoViolationsInBothModes(page: Page, label = '', widths = WIDTHS): Promise<void> {
  await showMode(page, 'light');
  await expectNoViolations(page, label, widths);
  await showMode(page, 'dark');
  await atEachWidth(page, { label, widths: widths.filter((width) => width !== TABLET) }, expectDarkNow);
  await showMode(page, 'light');
}

async function atEachWidth(
  page: Page,
  { label, widths }: { label: string; widths: readonly number[] },
  check: (page: Page, label: string) => Promise<void>,
): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(ignoreTimeout);
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(waitTwoFrames);
    await check(page, `${label} ${width} px`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${label} ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** Expects that axe finds no violations now. Documents in frames are ignored. */
export function expectNoViolationsNow(page: Page, label = ''): Promise<void> {
  return runAxe(page, label, {});
}

/** Expects no violations now, in light and dark mode; for a page that follows the device's mode. */
export async function expectNoViolationsInBothModesNow(page: Page, label = ''): Promise<void> {
  await showMode(page, 'light');
  await expectNoViolationsNow(page, `${label}, light`);
  await showMode(page, 'dark');
  await expectDarkNow(page, label);
  await showMode(page, 'light');
}

function expectDarkNow(page: Page, label: string): Promise<void> {
  return expectNoColourViolationsNow(page, `${label}, dark`);
}

/** Fails if the page does not follow the device's mode, which would check the same mode twice. */
async function showMode(page: Page, mode: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: mode });
  await expect(page.locator('html')).toContainClass(mode);
  await page.evaluate(waitTwoFrames);
}

/** Expects that the colour rules find no violations, in the page's current mode. */
export function expectNoColourViolationsNow(page: Page, label = ''): Promise<void> {
  return runAxe(page, label, { runOnly: [...COLOUR_RULES] });
}

async function runAxe(page: Page, label: string, options: { runOnly?: string[] }): Promise<void> {
  await expect(paletteButton(page), label).toBeVisible();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const found = await page.evaluate(async (axeOptions) => {
    const { violations } = await window.axe.run({
      resultTypes: ['violations'],
      iframes: false,
      ...axeOptions,
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, options);
  expect(found, label).toEqual([]);
}

/** Returns the palette's button, which is on every page and becomes visible when the page is hydrated. */
export function paletteButton(page: Page) {
  return page.locator('button[aria-haspopup=dialog][aria-keyshortcuts]').first();
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}

/** Media queries are evaluated for the new window size only after two frames. */
function waitTwoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
