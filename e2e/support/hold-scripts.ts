/** Pages whose scripts load late. */
import type { Page } from '@playwright/test';

/** Holds back scripts that match `pattern` and that `page` requests from now on, until the returned function is called. */
export async function holdScripts(page: Page, pattern = '**/assets/*.js'): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
