/** The administrator of the instance of a test, and pages that are signed in as this user. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { newAdminUrl } from './admin-link.ts';
import type { Instance } from './instance.ts';
import { createAccount, newPerson, type Person } from './person.ts';

/** Runs `use` on a page of a new browser context that is signed in as the administrator. */
export type AsAdmin = (
  browser: Browser,
  use: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
) => Promise<void>;

/** Creates an administrator. */
export async function createAdministrator(
  browser: Browser,
  site: Pick<Instance, 'url' | 'folder'>,
  admin: Person = newPerson(),
): Promise<{ admin: Person; asAdmin: AsAdmin }> {
  const page = await browser.newPage();
  await createAccount(page, site.url, admin);
  await page.goto(await newAdminUrl(site));
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const storageState = await page.context().storageState();
  await page.close();
  const asAdmin: AsAdmin = async (testBrowser, use, options = {}) => {
    const context = await testBrowser.newContext({ storageState, locale: 'en-GB', ...options });
    await use(await context.newPage());
    await context.close();
  };
  return { admin, asAdmin };
}
