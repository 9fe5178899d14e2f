/** Users who view pages and change nothing: each worker signs up one of each kind, and all its tests use them. */
import type { Browser, BrowserContext } from '@playwright/test';
import { claimAdmin, createAccount } from './person.ts';

/** The kind of user who views a page. */
export type Viewer = 'signed out' | 'user' | 'admin';

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;

const cache = new Map<Viewer, Promise<Cookies>>();

/** Returns the cookies of a user of this kind. */
export function cookiesOf(viewer: Viewer, browser: Browser): Promise<Cookies> {
  const cookies = cache.get(viewer) ?? signUpAs(viewer, browser);
  cache.set(viewer, cookies);
  return cookies;
}

async function signUpAs(viewer: Viewer, browser: Browser): Promise<Cookies> {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (viewer !== 'signed out') await createAccount(page);
  if (viewer === 'admin') await claimAdmin(page);
  const cookies = await context.storageState();
  await context.close();
  return cookies;
}
