/** The board of the home page, with two users in separate browser contexts. */
import { type Browser, type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { expectNoViolationsInBothModesNow, expectNoViolationsNow } from './support/axe.ts';
import { chooseFromMenu, newPerson, type Person, signOutByRequest, signUp } from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';

const board = (page: Page) => page.getByRole('region', { name: 'Board' });
const field = (page: Page) => page.getByLabel('New note');
const note = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Notes' }).locator('li', { hasText: text });
const editor = (page: Page) => page.getByRole('list', { name: 'Notes' }).getByLabel('Text');
const presenceAvatars = (page: Page) => page.getByRole('list', { name: 'Online now' }).getByRole('img');

/** Waits until keyboard shortcuts work: this button appears only then. */
const waitForShortcuts = (page: Page) =>
  expect(page.getByRole('button', { name: /^Search or jump/ }).first()).toBeVisible();

let count = 0;
/** Returns a text that is unique among all tests. */
function newText(words: string): string {
  count += 1;
  return `${words} ${process.pid}-${count}-${Date.now()}`;
}

/** Waits until the board is connected to realtime. The timeout allows for a machine that runs many browsers. */
const expectLive = (page: Page) =>
  expect(board(page).getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });

/** Returns the `localStorage` keys of edits that are not sent yet. */
const storedEditKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('board-edit')));

/** Signs a new user up and waits until their board is connected to realtime. */
async function openBoard(
  browser: Browser,
  options: BrowserContextOptions = {},
  person = newPerson(),
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await signUp(page, baseUrl(), person);
  if (options.javaScriptEnabled !== false) await expectLive(page);
  return page;
}

/**
 * Returns a user whose name sorts first: the presence list is limited and sorted by name, so it always shows this user.
 */
function newPersonSortedFirst(): Person {
  const { email, password } = newPerson();
  return { email: `0-${email}`, password };
}

/** Aborts all requests to the notes table. Returns a function that lets them through again. */
async function blockNoteRequests(page: Page): Promise<() => Promise<void>> {
  const urlPattern = '**/rest/v1/notes**';
  await page.route(urlPattern, (route) => route.abort());
  return () => page.unroute(urlPattern);
}

async function add(page: Page, text: string, visibility = 'Everyone'): Promise<void> {
  await page.getByRole('radio', { name: visibility }).check({ force: true });
  await field(page).fill(text);
  await field(page).press('Enter');
}

async function edit(page: Page, from: string, to: string): Promise<void> {
  await note(page, from).getByRole('button', { name: 'Edit note' }).click();
  await editor(page).fill(to);
  await editor(page).press('Enter');
}

async function remove(page: Page, text: string): Promise<void> {
  await note(page, text).getByRole('button', { name: 'Delete note' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
}

test.describe('two users on the board', () => {
  // Keeps these tests in one worker: each further worker would sign up two more users.
  test.describe.configure({ mode: 'default' });
  let ada: Page;
  let bob: Page;

  test.beforeAll(async ({ browser }) => {
    [ada, bob] = await Promise.all([openBoard(browser, {}, newPersonSortedFirst()), openBoard(browser)]);
  });
  test.afterAll(() => Promise.all([ada, bob].map((page) => page?.context().close())));

  test('see notes of the other user appear, change, disappear when hidden and deleted', async () => {
    const text = newText('Paint the room');
    await add(ada, text);
    await expect(field(ada)).toHaveValue('');
    await expect(note(bob, text)).toBeVisible();
    // Other tests may change the board, too, so any announcement of a change is accepted.
    await expect(board(bob).getByText(/(added a note|was changed|was removed)\.$/)).toHaveCount(1);
    await expect(note(bob, text).getByRole('button', { name: 'Delete note' })).toHaveCount(0);

    const changed = newText('Paint the door');
    await edit(bob, text, changed);
    await expect(note(ada, changed)).toBeVisible();

    await note(ada, changed).getByRole('button', { name: 'Make private' }).click();
    await expect(note(bob, changed)).toHaveCount(0);
    await expect(note(ada, changed)).toContainText('Only you');
    await note(ada, changed).getByRole('button', { name: 'Share with everyone' }).click();
    await expect(note(bob, changed)).toBeVisible();

    await remove(ada, changed);
    await expect(note(ada, changed)).toHaveCount(0);
    await expect(note(bob, changed)).toHaveCount(0);
  });

  test('do not see private notes of the other user', async () => {
    const [secret, open] = [newText('A surprise'), newText('No surprise')];
    await add(ada, secret, 'Only you');
    await add(ada, open);
    await expect(note(bob, open)).toBeVisible();
    await expect(note(bob, secret)).toHaveCount(0);
    await bob.reload();
    await expect(note(bob, open)).toBeVisible();
    await expect(note(bob, secret)).toHaveCount(0);
    await expect(note(ada, secret)).toContainText('Only you');
  });

  test('see long notes collapsed until they expand them', async () => {
    const text = newText('The end');
    await add(ada, `${'A long story. '.repeat(60)}${text}`);
    const toggle = (name: string) => note(bob, text).getByRole('button', { name });
    const height = () => note(bob, text).evaluate((item) => item.clientHeight);
    await expect(toggle('Show more')).toHaveAttribute('aria-expanded', 'false');
    const before = await height();
    await toggle('Show more').click();
    await expect(toggle('Show less')).toHaveAttribute('aria-expanded', 'true');
    expect(await height()).toBeGreaterThan(before);
  });

  test('keep offline edits across a reload and send them in order', async () => {
    const [first, second, third] = [newText('First'), newText('Second'), newText('Third')];
    await add(ada, first);
    await expect(note(bob, first)).toBeVisible();
    await ada.context().setOffline(true);
    await expect(board(ada).getByText('Offline', { exact: true })).toBeVisible();
    await add(ada, second);
    await edit(ada, first, third);
    await expect(note(ada, second)).toContainText('Not sent yet');
    await expect(board(ada).getByText('2 unsent changes')).toBeVisible();
    await expect(note(bob, first)).toBeVisible();
    expect(await storedEditKeys(ada)).toHaveLength(2);

    // A new document sends the edits that the previous one stored.
    await ada.goto('about:blank');
    await ada.context().setOffline(false);
    await ada.goto(baseUrl());
    await expect(note(bob, third)).toBeVisible();
    await expect(note(bob, second)).toBeVisible();
    await expect(note(bob, first)).toHaveCount(0);
    await expectLive(ada);
    await expect.poll(() => storedEditKeys(ada)).toEqual([]);
  });

  test('receive changes made while offline after reconnecting', async () => {
    const [before, after] = [newText('Before'), newText('After')];
    await add(ada, before);
    await expect(note(bob, before)).toBeVisible();
    await bob.context().setOffline(true);
    await expect(board(bob).getByText('Offline', { exact: true })).toBeVisible();
    await add(ada, after);
    await remove(ada, before);
    await expect(note(ada, before)).toHaveCount(0);
    await expect(note(bob, before)).toBeVisible();
    await bob.context().setOffline(false);
    await expect(note(bob, after)).toBeVisible();
    await expect(note(bob, before)).toHaveCount(0);
    await expectLive(bob);
  });

  test('are offered both versions after concurrent edits of one note', async () => {
    let current = newText('What colour');
    await add(ada, current);
    await expect(note(bob, current)).toBeVisible();
    for (const choice of ['Use current version', 'Use your version', 'Keep both versions']) {
      const [mine, theirs] = [newText('Green, says Ada'), newText('Blue, says Bob')];
      await note(ada, current).getByRole('button', { name: 'Edit note' }).click();
      await edit(bob, current, theirs);
      await expect(note(bob, theirs)).not.toContainText('Not sent yet');
      await editor(ada).fill(mine);
      await editor(ada).press('Enter');
      const conflict = ada.getByRole('alert', { name: 'Conflicting changes' });
      await expect(conflict).toContainText(mine);
      await expect(conflict).toContainText(theirs);
      await expect(conflict).toBeFocused();
      await expect(note(ada, theirs)).toContainText('Choose a version');
      if (choice === 'Use current version') await expectNoViolationsNow(ada, 'a conflict');
      await conflict.getByRole('button', { name: choice }).click();
      await expect(conflict).toHaveCount(0);
      await expect(note(bob, mine)).toHaveCount(choice === 'Use current version' ? 0 : 1);
      await expect(note(bob, theirs)).toHaveCount(choice === 'Use your version' ? 0 : 1);
      current = choice === 'Use current version' ? theirs : mine;
      await expect(note(ada, current)).not.toContainText('Not sent yet');
    }
  });

  test('can keep their text as a new note if the note is deleted while they edit', async () => {
    const text = newText('Soon gone');
    await add(ada, text);
    await note(bob, text).getByRole('button', { name: 'Edit note' }).click();
    await editor(bob).fill(`${text}, and kept`);
    const deleted = ada.waitForResponse((response) => response.request().method() === 'DELETE');
    await remove(ada, text);
    await deleted;
    await editor(bob).press('Enter');
    const conflict = bob.getByRole('alert', { name: 'Note no longer available' });
    await conflict.getByRole('button', { name: 'Save as new note' }).click();
    await expect(note(bob, `${text}, and kept`)).toContainText('Only you');
  });

  // This test must be the last: it closes the browser context of one user.
  test('see each present user once, and the writing users', async () => {
    const name = (await presenceAvatars(ada).first().getAttribute('aria-label'))?.replace(' (you)', '') ?? '';
    await expect(presenceAvatars(bob).and(bob.getByLabel(name, { exact: true }))).toHaveCount(1);
    const second = await ada.context().newPage();
    await second.goto(baseUrl());
    await expectLive(second);
    await expect(presenceAvatars(bob).and(bob.getByLabel(name, { exact: true }))).toHaveCount(1);
    const box = await presenceAvatars(bob).first().boundingBox();
    expect([box?.width, box?.height]).toEqual([32, 32]);

    const text = newText('Who writes here');
    await add(ada, text);
    await note(ada, text).getByRole('button', { name: 'Edit note' }).click();
    await editor(ada).pressSequentially('!');
    await expect(note(bob, text)).toContainText(`${name} is writing`);
    await ada.keyboard.press('Escape');
    await expect(note(bob, text)).not.toContainText('is writing');
    await expect(note(ada, text)).toBeFocused();

    await ada.context().close();
    await expect(presenceAvatars(bob).and(bob.getByLabel(name, { exact: true }))).toHaveCount(0);
  });
});

test('a page requests its stylesheet once, also when its other parts are loaded later', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signUp(page);
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'stylesheet') requested.push(request.url());
  });
  await page.reload();
  await expectLive(page);
  const linked = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(({ href }) => href),
  );
  expect(requested).toEqual(linked);
  expect(linked).toHaveLength(1);
  await context.close();
});

test('shows the user who writes a new note, unless the note is private', async ({ browser }) => {
  const first = newPersonSortedFirst();
  const [ada, bob] = await Promise.all([browser.newPage(), openBoard(browser)]);
  const writingFrames: string[] = [];
  ada.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (/"writing"/.test(payload.toString())) writingFrames.push(payload.toString());
    }),
  );
  await signUp(ada, baseUrl(), first);
  await expectLive(ada);
  await ada.getByRole('radio', { name: 'Only you' }).check({ force: true });
  await field(ada).pressSequentially('Psst');
  expect(writingFrames).toEqual([]);
  await ada.getByRole('radio', { name: 'Everyone' }).check({ force: true });
  const writing = board(bob).getByText(`${first.email.split('@')[0]} is writing`);
  await expect(writing).toBeVisible();
  await field(ada).fill('');
  await expect(writing).toHaveCount(0);
  await Promise.all([ada.close(), bob.context().close()]);
});

test('requires a confirmation before a sign-out discards unsent edits, and deletes them', async ({
  browser,
}) => {
  const page = await openBoard(browser);
  const text = newText('Never sent');
  await blockNoteRequests(page);
  await add(page, text);
  await expect(board(page).getByText('1 unsent change')).toBeVisible();
  await chooseFromMenu(page, 'Sign out');
  const confirmation = page.getByRole('dialog', { name: 'Sign out now?' });
  await expect(confirmation).toContainText('1 change to the board hasn’t been sent yet.');
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation).toHaveCount(0);
  expect(await storedEditKeys(page)).toHaveLength(1);
  await chooseFromMenu(page, 'Sign out');
  await confirmation.getByRole('button', { name: 'Sign out and delete changes' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect.poll(() => storedEditKeys(page)).toEqual([]);
  await expect(page.getByText('Unsent changes on this device')).toHaveCount(0);
  await page.context().close();
});

test('neither shows unsent edits to another user nor sends them with their session', async ({ browser }) => {
  const person = newPerson();
  const ada = await openBoard(browser, {}, person);
  const text = newText('By Ada');
  const unblockNoteRequests = await blockNoteRequests(ada);
  await add(ada, text);
  await expect(board(ada).getByText('1 unsent change')).toBeVisible();

  // Another user signs in in a second tab; the first tab is not notified.
  const bob = await ada.context().newPage();
  await signOutByRequest(bob);
  await bob.goto(`${baseUrl()}/login`);
  await expect(bob.getByText('1 change to the board hasn’t been sent yet.')).toBeVisible();
  await expect(bob.getByText(text)).toHaveCount(0);
  const sentRequests: string[] = [];
  ada.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/rest/v1/notes'))
      sentRequests.push(request.url());
  });
  await unblockNoteRequests();
  await signUp(bob);
  await expectLive(bob);
  await expect(note(bob, text)).toHaveCount(0);
  await ada.reload();
  await expectLive(ada);
  await expect(note(ada, text)).toHaveCount(0);
  expect([sentRequests, (await storedEditKeys(ada)).length]).toEqual([[], 1]);

  await signOutByRequest(ada);
  await ada.goto(`${baseUrl()}/login`);
  await ada.getByLabel('Email address').fill(person.email);
  await ada.getByLabel('Password', { exact: true }).fill(person.password);
  await ada.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(note(ada, text)).not.toContainText('Not sent yet', { timeout: 30_000 });
  await expect.poll(() => storedEditKeys(ada)).toEqual([]);
  await ada.context().close();
});

test('keeps the session and the board after a sign-out attempt while offline', async ({ browser }) => {
  const page = await openBoard(browser);
  await page.context().setOffline(true);
  await chooseFromMenu(page, 'Sign out');
  await expect(page.getByText('Couldn’t sign out because you’re offline.').first()).toBeVisible();
  await expect(board(page)).toBeVisible();
  await page.context().close();
});

test('adds, edits, hides and deletes notes and resolves a conflict without JavaScript', async ({
  browser,
}) => {
  const [ada, bob] = await Promise.all([
    openBoard(browser, { javaScriptEnabled: false }),
    openBoard(browser, { javaScriptEnabled: false }),
  ]);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const [text, changed, conflictingText] = [newText('Plain'), newText('Plainer'), newText('Late')];
  await press(ada, 'Add note');
  await expect(ada.getByRole('alert')).toHaveText('Enter some text.');
  await field(ada).fill(text);
  await press(ada, 'Add note');
  await expect(note(ada, text)).toBeVisible();

  await bob.reload();
  await note(bob, text).getByRole('button', { name: 'Edit note' }).click();
  await note(ada, text).getByRole('button', { name: 'Edit note' }).click();
  await editor(ada).fill(changed);
  await press(ada, 'Save note');
  await expect(note(ada, changed)).toBeVisible();
  await editor(bob).fill(conflictingText);
  await press(bob, 'Save note');
  const conflict = bob.getByRole('alert', { name: 'Conflicting changes' });
  await expect(conflict).toContainText(changed);
  await expect(conflict).toContainText(conflictingText);
  await conflict.getByRole('button', { name: 'Keep both versions' }).click();
  await expect(note(bob, conflictingText)).toBeVisible();
  await expect(note(bob, changed)).toBeVisible();

  await note(ada, changed).getByRole('button', { name: 'Make private' }).click();
  await expect(note(ada, changed)).toContainText('Only you');
  await bob.reload();
  await expect(note(bob, changed)).toHaveCount(0);
  await note(ada, changed).getByRole('button', { name: 'Delete note' }).click();
  await press(ada, 'Delete');
  await expect(note(ada, changed)).toHaveCount(0);
  await Promise.all([ada.context().close(), bob.context().close()]);
});

test('rejects cross-site and malformed forms', async ({ page }) => {
  await signUp(page, baseUrl(), newPerson());
  const post = (form: Record<string, string>, origin = new URL(baseUrl()).origin) =>
    page.request.post(`${baseUrl()}/?index`, { form, headers: { origin }, maxRedirects: 0 });
  expect((await post({ intent: 'add', text: 'From elsewhere' }, 'https://elsewhere.example')).status()).toBe(
    403,
  );
  expect((await post({ intent: 'paint' })).status()).toBe(400);
  expect((await post({ intent: 'delete', note: 'x' })).status()).toBe(400);
  expect((await post({ intent: 'add', text: 'x'.repeat(2001) })).status()).toBe(422);
  expect((await post({ intent: 'add', text: newText('Taken') })).status()).toBe(302);
});

test('focuses the new-note field by the key n from the board and from other pages', async ({ browser }) => {
  const page = await openBoard(browser);
  await waitForShortcuts(page);
  await page.keyboard.press('n');
  await expect(field(page)).toBeFocused();
  const text = newText('By keyboard');
  await page.keyboard.type(text);
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('n and n');
  await page.keyboard.press('Enter');
  await expect(note(page, text)).toContainText('n and n');
  await note(page, text).getByRole('button', { name: 'Delete note' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(note(page, text)).toHaveCount(0);
  // Focus stays on an element, so keyboard navigation does not restart at the top of the page.
  await expect(page.locator(':focus')).toHaveCount(1);
  await page.goto(`${baseUrl()}/account`);
  await waitForShortcuts(page);
  await page.keyboard.press('n');
  await expect(field(page)).toBeFocused();
  await page.context().close();
});

test('axe finds no violations, and the board does not overflow at 320 px', async ({ browser }) => {
  test.slow();
  const page = await openBoard(browser, { reducedMotion: 'reduce' });
  const colours = ['Yellow', 'Green', 'Blue', 'Purple', 'Pink', 'Grey'];
  const texts = colours.map(newText);
  for (const [index, text] of texts.entries()) {
    const colour = colours[index] ?? '';
    await page.getByRole('radio', { name: colour }).first().check({ force: true });
    await add(page, `${text} ${'long'.repeat(40)}`, colour === 'Grey' ? 'Only you' : 'Everyone');
  }
  await expect(board(page).getByText('Not sent yet')).toHaveCount(0);
  await note(page, texts[4] ?? '')
    .getByRole('button', { name: 'Delete note' })
    .click();
  await note(page, texts[5] ?? '')
    .getByRole('button', { name: 'Edit note' })
    .click();
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoViolationsInBothModesNow(page, `${width} px`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
  }
  await page.context().close();
});

test('the home page preloads less than 160 KB of scripts and loads the realtime client later', async ({
  page,
}) => {
  // Set before the first request, so that the browser caches no uncompressed script.
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
  await signUp(page);
  const sizes = new Map<string, number>();
  page.on('response', (response) => {
    if (!response.url().endsWith('.js')) return;
    sizes.set(response.url(), Number(response.headers()['content-length'] ?? 0));
  });
  // Scripts that the HTML preloads; these scripts load further ones when they run.
  const html = (await (await page.goto(baseUrl()))?.text()) ?? '';
  const links = html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g);
  const preloaded = [...links].map(([, path = '']) => new URL(path, baseUrl()).href);
  await expectLive(page);
  const sum = (urls: Iterable<string>) => [...urls].reduce((total, url) => total + (sizes.get(url) ?? 0), 0);
  expect(preloaded.length).toBeGreaterThan(3);
  expect(sum(preloaded)).toBeLessThan(160 * 1024);
  expect(sum(sizes.keys())).toBeGreaterThan(sum(preloaded));
});
