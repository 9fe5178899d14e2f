/** Parts of a page that the server sends late. */
import type { Page } from '@playwright/test';

/**
 * On a busy machine the server sends parts of a page late. From now on the tests request these parts like a user
 * without scripts does.
 */
export function requestLateParts(page: Page): Promise<void> {
  const missing = page.getByRole('link', { name: 'Load the rest of this page' }).first();
  return page.addLocatorHandler(missing, (link) => link.click());
}
