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

/** Phone, tablet, desktop. */
export const WIDTHS = [390, 768, 1280];

/**
 * At each of the widths, axe finds nothing, and nothing is wider than the window. `where` is for the report. A page that
 * still comes alive would change while axe reads it: a button may show itself after its words were taken for hidden.
 */
export async function expectNoViolations(page: Page, where = '', widths = WIDTHS): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(ignoreTimeout);
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(twoFrames);
    await expectNoViolationsNow(page, `${where} ${width} px`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${where} ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** axe finds nothing. Documents in frames are left out. */
export async function expectNoViolationsNow(page: Page, where = ''): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'], iframes: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found, where).toEqual([]);
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}

/** Only then have media queries seen another size of the window. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
