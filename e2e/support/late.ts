/** What a page sends after itself, for those without scripts. */
import type { Page } from '@playwright/test';

/** A busy machine sends some of a page late. From now on it is asked for, as a person would who has no scripts. */
export function askForLateParts(page: Page): Promise<void> {
  const missing = page.getByRole('link', { name: 'Show what is still missing' }).first();
  return page.addLocatorHandler(missing, (link) => link.click());
}
