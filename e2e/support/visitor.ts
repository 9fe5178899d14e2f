/** Users who view pages and change nothing: each worker signs up one of each kind, and all its tests use them. */
import type { Browser, BrowserContext } from '@playwright/test';
import { becomeAdmin, createAccount } from './person.ts';

/** The kind of user who views a page. */
export type Visitor = 'nobody' | 'a person' | 'an admin';

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;

const cache = new Map<Visitor, Promise<Cookies>>();

/** Returns the cookies of a user of this kind. */
export function cookiesOf(visitor: Visitor, browser: Browser): Promise<Cookies> {
  const cookies = cache.get(visitor) ?? signUpAs(visitor, browser);
  cache.set(visitor, cookies);
  return cookies;
}

async function signUpAs(visitor: Visitor, browser: Browser): Promise<Cookies> {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (visitor !== 'nobody') await createAccount(page);
  if (visitor === 'an admin') await becomeAdmin(page);
  const cookies = await context.storageState();
  await context.close();
  return cookies;
}
