/** Users, tables and settings in the command palette of administrators. */
import { expect, type Page, type Request, test } from '@playwright/test';
import { expectNoViolationsInBothModesNow } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { claimAdmin, createAccount, newPerson, type Person, signUp } from './support/person.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

const HITS = '/admin/palette/hits';
const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' });
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const status = (page: Page) => palette(page).getByRole('status');

let number = 0;
/** Returns a word that occurs nowhere else. */
function newWord(): string {
  number += 1;
  return `zq${process.pid}x${number}x${Date.now()}`;
}

interface Named extends Person {
  id: string;
  name: string;
}

/** Creates a user with this last name. */
async function createUser(lastName: string): Promise<Named> {
  const { SERVICE_ROLE_KEY: key = '' } = await readStatus();
  const person = newPerson();
  const name = `Grace ${lastName}`;
  const response = await fetch(`${baseUrl()}/auth/v1/admin/users`, {
    method: 'POST',
    headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, email_confirm: true, user_metadata: { full_name: name } }),
  });
  const { id } = (await response.json()) as { id: string };
  return { ...person, id, name };
}

function createTable(name: string): Promise<unknown> {
  return withDatabase(undefined, (database) =>
    database.query({ text: `create table public.${name} (id int primary key, title text)` }),
  );
}

/** Signs up an administrator, and opens a page whose session has the role from the beginning. */
async function becomeAdmin(page: Page): Promise<void> {
  await createAccount(page);
  await claimAdmin(page);
  await page.goto(baseUrl());
  await waitForShortcuts(page);
}

/** The button of the palette appears when its shortcut works. */
function waitForShortcuts(page: Page): Promise<void> {
  return expect(page.getByRole('button', { name: 'Search or jump to…' })).toBeVisible();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

/** Opens the palette and types a text. */
async function search(page: Page, text: string): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(text);
}

/** Returns the texts that were requested so far. */
function recordQueries(page: Page): string[] {
  const queries: string[] = [];
  page.on('request', (request) => {
    if (isForHits(request)) queries.push(new URL(request.url()).searchParams.get('q') ?? '');
  });
  return queries;
}

function isForHits(request: Request): boolean {
  return new URL(request.url()).pathname === HITS;
}

test('finds a user, a table and a setting by name with the keyboard only, and opens each of them', async ({
  page,
}) => {
  const word = newWord();
  const user = await createUser(word);
  await createTable(`notes_${word}`);
  await becomeAdmin(page);

  await search(page, word.toUpperCase());
  await expect(group(page, 'People').getByRole('option')).toHaveText([`${user.name}${user.email}`]);
  await expect(group(page, 'Tables').getByRole('option')).toHaveText([`public.notes_${word}Table`]);
  await expect(status(page)).toHaveText('2 results');
  await expect(group(page, 'People').getByRole('option')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${baseUrl()}/admin/users?user=${user.id}`);
  await expect(page.getByRole('heading', { level: 1, name: user.email })).toBeVisible();
  await expect(palette(page)).toBeHidden();

  for (const text of [user.email.slice(0, -4), user.id.slice(0, 13)]) {
    await search(page, text);
    await expect(group(page, 'People').getByRole('option')).toHaveText([`${user.name}${user.email}`]);
    await page.keyboard.press('Escape');
    await expect(palette(page)).toBeHidden();
  }

  await search(page, word);
  await expect(group(page, 'Tables')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(group(page, 'Tables').getByRole('option')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${baseUrl()}/admin/tables?schema=public&table=notes_${word}`);
  await expect(page.getByRole('heading', { name: `notes_${word}` })).toBeVisible();

  await search(page, 'jwt expiry');
  const setting = group(page, 'Settings').getByRole('option', { name: 'auth.jwt_expiry' });
  await expect(setting).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${baseUrl()}/admin/settings?section=sign-in#GOTRUE_JWT_EXP`);
  await expect(page.getByRole('heading', { name: 'auth.jwt_expiry' })).toBeInViewport();

  const storage = await page.evaluate(() => JSON.stringify(localStorage));
  expect(storage).not.toContain(user.id);
  expect(storage).not.toContain(word);
  expect(storage).not.toContain('GOTRUE_JWT_EXP');
});

test('shows hits after the matching commands, in both languages', async ({ page }) => {
  await becomeAdmin(page);
  await search(page, 'sett');
  const headings = palette(page).locator('[cmdk-group-heading]');
  await expect(headings).toHaveText(['Go to', 'Tables', 'Settings']);
  await expect(page.getByRole('option').first()).toHaveText(/^Settings/);
  await page.goto(`${baseUrl()}/?lang=de`);
  await expect(page.getByRole('button', { name: 'Befehle suchen …' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('weitere');
  const settings = page.getByRole('group', { name: 'Einstellungen', exact: true });
  await expect(settings.getByRole('option')).toHaveText(['Weitere Dienste']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${baseUrl()}/admin/settings?section=others`);
});

test('requests a text after a pause in typing, and aborts the request of an earlier text', async ({
  page,
}) => {
  const word = newWord();
  await createUser(`${word}a`);
  await createUser(`${word}b`);
  await becomeAdmin(page);
  const queries = recordQueries(page);
  const aborted: string[] = [];
  page.on('requestfailed', (request) => {
    if (isForHits(request)) aborted.push(new URL(request.url()).searchParams.get('q') ?? '');
  });
  const options = group(page, 'People').getByRole('option');

  await openPalette(page);
  await page.keyboard.type('z');
  await page.keyboard.press('Backspace');
  await field(page).fill(word);
  await expect(options).toHaveCount(2);
  expect(queries).toEqual([word]);

  // Until the answer arrives, the former hits that match stay.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${HITS}*`, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await page.keyboard.type('a');
  await expect(options).toHaveText([new RegExp(`^Grace ${word}a`)]);
  await expect(status(page)).toHaveText('Searching…');
  await expect.poll(() => queries).toEqual([word, `${word}a`]);
  await page.keyboard.type('b');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(palette(page).getByText('No results')).toHaveCount(0);
  await expect.poll(() => queries).toEqual([word, `${word}a`, `${word}ab`]);
  await expect.poll(() => aborted).toEqual([`${word}a`]);
  release();
  // The list of users finds parts of addresses, too.
  await expect(options).toHaveText([`Search all users for “${word}ab”`]);
  await expect(status(page)).toHaveText('1 result');
  expect(queries).toHaveLength(3);
});

test('explains without a connection what to do, and searches again with one', async ({ page }) => {
  const word = newWord();
  await createUser(word);
  await becomeAdmin(page);
  await openPalette(page);
  await page.context().setOffline(true);
  await page.keyboard.type(word);
  const line = palette(page).getByText('Check your connection and try again.').first();
  await expect(line).toBeVisible();
  await expect(palette(page).getByText('No results')).toHaveCount(0);
  await expect(status(page)).toContainText('Check your connection and try again.');
  await page.context().setOffline(false);
  await expect(group(page, 'People').getByRole('option')).toHaveCount(1);
  await expect(line).toBeHidden();

  await page.route(`**${HITS}*`, (route) => route.fulfill({ status: 503, json: { code: 'unreachable' } }));
  await page.keyboard.press('Backspace');
  await expect(status(page)).toContainText('Try again in a moment.');
  await expect(group(page, 'People').getByRole('option')).toHaveCount(1);
  await page.unroute(`**${HITS}*`);
  await palette(page).getByRole('button', { name: 'Try again' }).focus();
  await page.keyboard.press('Enter');
  await expect(status(page)).toHaveText('1 result');
  await expect(palette(page).getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

test('sends no request for users without the role, and the route responds with 403', async ({ page }) => {
  const queries = recordQueries(page);
  const word = newWord();
  await createUser(word);
  await signUp(page);
  await waitForShortcuts(page);
  await search(page, word);
  await expect(status(page)).toHaveText(`No results for “${word}”`);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  expect(queries).toEqual([]);
  const response = await page.request.get(`${baseUrl()}${HITS}?q=${word}`);
  expect(response.status()).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'not-admin' });
});

test('is no address to return to after the sign-in', async ({ request }) => {
  const get = (path: string, accept: string) =>
    request.get(baseUrl() + path, { headers: { accept }, maxRedirects: 0 });
  const ofData = await get(`${HITS}?q=ada`, 'application/json');
  expect([ofData.status(), ofData.headers()['set-cookie']]).toEqual([302, undefined]);
  const ofPage = await get('/admin/users', 'text/html');
  expect(ofPage.headers()['set-cookie']).toContain('redirect');
});

test('explains the missing access if the role was removed meanwhile', async ({ page }) => {
  await becomeAdmin(page);
  await page.route(`**${HITS}*`, (route) => route.fulfill({ status: 403, json: { code: 'not-admin' } }));
  await search(page, 'ada');
  await expect(status(page)).toContainText('open the admin area and confirm your access');
  await expect(palette(page).getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

for (const width of [320, 1280]) {
  test(`axe finds no violations in the hits, and they do not overflow at ${width} px`, async ({
    browser,
  }) => {
    test.slow();
    const word = newWord();
    await createUser(`${word} ${'long'.repeat(20)}`);
    await createTable(`${word}_${'t'.repeat(63)}`.slice(0, 63));
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await becomeAdmin(page);
    await search(page, word);
    await expect(status(page)).toHaveText('2 results');
    await expectNoViolationsInBothModesNow(page, 'hits');
    const overflow = await page.getByRole('listbox').evaluate((list) => list.scrollWidth - list.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.route(`**${HITS}*`, (route) => route.abort());
    await page.keyboard.type('x');
    await expect(palette(page).getByRole('button', { name: 'Try again' })).toBeVisible();
    await expectNoViolationsInBothModesNow(page, 'problem');
    await context.close();
  });
}
