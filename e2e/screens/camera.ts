/** Takes pictures of pages into docs/screens. */
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';

/** The folder of the pictures. */
export const TARGET = join(import.meta.dirname, '..', '..', 'docs', 'screens');

/** Sizes of windows. */
export const SIZES = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1100 },
  phone: { width: 390, height: 844 },
} as const;

export type Size = keyof typeof SIZES;

/** Colour mode of the device. */
export type Mode = 'light' | 'dark';

/** Space above a part: the navigation of a narrow screen covers the top. */
const SPACE = { desktop: 24, tablet: 120, phone: 120 };

/** Takes a picture of the page at each size. `part` is scrolled to the top of the window. */
export async function take(
  page: Page,
  name: string,
  sizes: readonly Size[] = ['desktop', 'tablet', 'phone'],
  part?: Locator,
): Promise<void> {
  const before = page.viewportSize();
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    await part?.evaluate(scrollTo, SPACE[size]);
    await page.screenshot({ path: join(TARGET, `${name}-${size}.png`) });
  }
  if (before) await page.setViewportSize(before);
}

/** Runs in the page. */
function scrollTo(element: Element, space: number): void {
  element.scrollIntoView();
  scrollBy(0, -space);
}
