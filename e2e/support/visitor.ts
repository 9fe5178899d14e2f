/** People who look at pages and change nothing: each is signed up once by a worker, and all its tests are them. */
import type { Browser, BrowserContext } from '@playwright/test';
import { becomeAdmin, createAccount } from './person.ts';

/** Who looks at a page. */
export type Visitor = 'nobody' | 'a person' | 'an admin';

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;

const known = new Map<Visitor, Promise<Cookies>>();

/** What makes a browser theirs. */
export function cookiesOf(visitor: Visitor, browser: Browser): Promise<Cookies> {
  const cookies = known.get(visitor) ?? signUpAs(visitor, browser);
  known.set(visitor, cookies);
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
