/** The sections of the admin area without a connection. */
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { withDatabase } from './support/database.ts';
import { baseUrl } from './support/shared-instance.ts';
import { cookiesOf } from './support/viewer.ts';

/** A task of an administrator in a section. */
interface Act {
  name: string;
  path: string;
  /** Types something, and returns the field. */
  type?(page: Page): Promise<Locator>;
  /** The button or link that needs the server. */
  button(page: Page): Locator;
  /** The message without a connection, if the section has its own. */
  message?(page: Page): Locator;
  /** Waits after reconnecting until the button can be used again. */
  ready?(page: Page): Promise<void>;
  /** Waits for the outcome after reconnecting. */
  outcome(page: Page): Promise<void>;
}

const TYPED = 'typed-offline';
const SCHEMA = `offline_${process.pid}_${Date.now() % 100_000}`;
const TABLE = `schema=${SCHEMA}&table=notes`;

const fill = async (field: Locator, value = TYPED) => {
  await field.fill(value);
  return field;
};
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });
const url = (pattern: RegExp) => (page: Page) => expect(page).toHaveURL(pattern);

const ACTS: readonly Act[] = [
  {
    name: 'overview: range of the charts',
    path: '/admin',
    button: (page) => page.getByRole('link', { name: 'Day', exact: true }),
    outcome: url(/range=day/),
  },
  {
    name: 'users: search',
    path: '/admin/users',
    type: (page) => fill(page.getByRole('searchbox')),
    button: button('Search'),
    outcome: url(/q=typed-offline/),
  },
  {
    name: 'users: create',
    path: '/admin/users?ask=create',
    type: (page) => fill(page.getByRole('dialog').getByLabel('Email address'), `${SCHEMA}@example.org`),
    button: (page) => page.getByRole('dialog').getByRole('button', { name: 'Create user' }),
    outcome: url(/user=[0-9a-f-]{36}/),
  },
  {
    name: 'tables: filter',
    path: `/admin/tables?${TABLE}`,
    type: async (page) => {
      await button('Add filter')(page).click();
      await page.getByLabel('Column', { exact: true }).selectOption('title');
      return fill(page.getByLabel('Value', { exact: true }));
    },
    button: button('Apply filter'),
    outcome: url(/filter=/),
  },
  {
    name: 'tables: insert',
    path: `/admin/tables?${TABLE}`,
    type: async (page) => {
      await page.getByRole('toolbar', { name: 'Rows' }).getByRole('button', { name: 'Insert row' }).click();
      return fill(page.getByRole('dialog').getByLabel('title', { exact: true }));
    },
    button: (page) => page.getByRole('dialog').getByRole('button', { name: 'Insert row' }),
    message: (page) => page.getByText('The server did not respond. Check your connection and try again.'),
    outcome: (page) => expect(page.getByRole('gridcell', { name: TYPED })).toBeVisible(),
  },
  {
    name: 'tables: structure',
    path: `/admin/tables/diagram?schema=${SCHEMA}`,
    button: (page) => page.getByRole('link', { name: 'Structure', exact: true }),
    // The code of the page could not be loaded before, so the document is loaded.
    outcome: async (page) => {
      await expect(page).toHaveURL(/tables\/structure/);
      await expect(page.getByRole('link', { name: 'Diagram', exact: true })).toBeVisible();
    },
  },
  {
    name: 'policies: filter',
    path: '/admin/policies',
    type: (page) => fill(page.getByLabel('Search', { exact: true })),
    button: button('Filter'),
    outcome: url(/q=typed-offline/),
  },
  {
    name: 'policies: try a statement',
    path: `/admin/policies?${TABLE}&tab=try`,
    type: (page) => fill(page.getByLabel('Own SQL instead (optional)'), `select 1 as ${SCHEMA}`),
    button: button('Try it'),
    outcome: (page) => expect(page.getByRole('heading', { name: 'Result' })).toBeVisible(),
  },
  {
    name: 'sql: run',
    path: '/admin/sql',
    type: async (page) => {
      await page.locator('.cm-content').fill(`select 1 as ${SCHEMA}`);
      return page.locator('.cm-content');
    },
    button: button('Run all'),
    message: (page) => page.getByText(/The connection was lost/),
    ready: (page) =>
      expect(page.getByRole('alert').first()).toHaveText('The connection was lost. What you typed is kept.'),
    outcome: (page) => expect(page.getByRole('columnheader', { name: SCHEMA })).toBeVisible(),
  },
  {
    name: 'mailbox: search',
    path: '/admin/mailbox',
    type: (page) => fill(page.getByRole('searchbox')),
    button: button('Search'),
    outcome: url(/q=typed-offline/),
  },
  {
    name: 'mailbox: preview of a template',
    path: '/admin/mailbox?view=templates&kind=invite',
    type: (page) => fill(page.getByLabel('Subject', { exact: true })),
    button: (page) => page.getByRole('button', { name: 'Preview' }).first(),
    outcome: async (page) => {
      await expect(page.frameLocator('iframe').first().getByText(TYPED)).toBeVisible();
    },
  },
  {
    name: 'logs: search',
    path: '/admin/logs',
    type: (page) => fill(page.getByLabel('Text', { exact: true })),
    button: button('Search'),
    outcome: url(/q=typed-offline/),
  },
  {
    name: 'settings: search',
    path: '/admin/settings',
    type: (page) => fill(page.getByLabel('Search settings')),
    button: button('Search'),
    outcome: url(/q=typed-offline/),
  },
];

test.beforeAll(async () => {
  await withDatabase(undefined, async (database) => {
    for (const text of [
      `create schema ${SCHEMA} authorization postgres`,
      `create table ${SCHEMA}.notes (id int generated always as identity primary key, title text not null)`,
      `alter table ${SCHEMA}.notes owner to postgres`,
    ])
      await database.query({ text });
  });
});

test('each section reports a lost connection, keeps typed text, and works after reconnecting', async ({
  browser,
}) => {
  test.slow();
  const storageState = await cookiesOf('admin', browser);
  const context = await browser.newContext({ storageState, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const act of ACTS) await test.step(act.name, () => actOffline(context, page, act));
  await context.close();
});

async function actOffline(context: BrowserContext, page: Page, act: Act): Promise<void> {
  await page.goto(baseUrl() + act.path);
  await waitForMessages(page);
  const field = await act.type?.(page);
  const typed = await field?.evaluate(contentOf);
  await page.waitForLoadState('networkidle');
  const address = page.url();
  await context.setOffline(true);
  await act.button(page).click();
  const message = act.message?.(page) ?? page.getByText('You are offline', { exact: true });
  await expect(message.first()).toBeVisible();
  expect(page.url()).toBe(address);
  if (field) expect(await field.evaluate(contentOf)).toBe(typed);
  await context.setOffline(false);
  await act.ready?.(page);
  await act.button(page).click();
  await act.outcome(page);
}

/** The code of messages loads when the browser is idle, and that of dialogs with the page. */
async function waitForMessages(page: Page): Promise<void> {
  // An open dialog hides it from the tree of roles.
  await expect(page.locator('[role=region][aria-label^=Notification]')).toBeAttached();
  await page.waitForLoadState('networkidle');
}

/** Returns the text of a field, or of the editor. */
function contentOf(field: HTMLElement | SVGElement): string {
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    ? field.value
    : (field.textContent ?? '');
}

test('the Back button keeps the page and the history without a connection', async ({ browser }) => {
  const storageState = await cookiesOf('admin', browser);
  const context = await browser.newContext({ storageState, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${baseUrl()}/admin/users`);
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(`${baseUrl()}/admin/settings`);
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Logs' }).click();
  await expect(page).toHaveURL(`${baseUrl()}/admin/logs`);
  await waitForMessages(page);
  const field = await fill(page.getByLabel('Text', { exact: true }));
  await context.setOffline(true);
  await page.evaluate(() => history.back());
  await expect(page.getByText('You are offline', { exact: true })).toBeVisible();
  const icon = page.getByRole('button', { name: 'Close' }).locator('use');
  const isLoaded = (use: SVGElement | HTMLElement) =>
    document.getElementById(use.getAttribute('href')?.slice(1) ?? '') !== null;
  expect(await icon.evaluate(isLoaded)).toBe(true);
  await expect(page).toHaveURL(`${baseUrl()}/admin/logs`);
  await expect(field).toHaveValue(TYPED);
  await context.setOffline(false);
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(`${baseUrl()}/admin/settings`);
  await context.close();
});
