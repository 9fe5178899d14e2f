/** The command palette, the keyboard shortcuts and their help. */
import { expect, type Page, test } from '@playwright/test';
import { newAdminUrl } from './support/admin-link.ts';
import { expectNoViolationsInBothModesNow } from './support/axe.ts';
import { signUp, submitCredentials } from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const trigger = (page: Page) => page.getByRole('button', { name: 'Search or jump to…' });
const mode = (page: Page) => page.locator('html').getAttribute('class');

/** Opens a page and waits until keyboard shortcuts work. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(baseUrl() + path);
  await waitForShortcuts(page);
}

/** Waits until keyboard shortcuts work: the button appears only then. */
async function waitForShortcuts(page: Page): Promise<void> {
  await expect(trigger(page)).toBeVisible();
}

async function signUpWithShortcuts(page: Page) {
  const person = await signUp(page);
  await waitForShortcuts(page);
  return person;
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

async function runCommand(page: Page, query: string, name: string | RegExp): Promise<void> {
  await openPalette(page);
  await field(page).fill(query);
  await expect(option(page, name)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}

/** URL of the palette's script, with any hash. */
const PALETTE_FILE = /\/palette-[\w-]{8}\.js$/;

const policyErrors: string[] = [];

function recordPolicyErrors(page: Page): void {
  page.on('console', (message) => {
    if (/content security policy|hydrat/i.test(message.text())) policyErrors.push(message.text());
  });
  page.on('pageerror', (error) => policyErrors.push(error.message));
}

test.beforeEach(({ page }) => {
  policyErrors.length = 0;
  recordPolicyErrors(page);
});

test.afterEach(() => {
  expect(policyErrors).toEqual([]);
});

test('opens by Ctrl+K from any element and restores the focus', async ({ page }) => {
  await visit(page, '/login');
  const link = page.getByRole('link', { name: 'Create account' });
  await link.focus();
  await openPalette(page);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(link).toBeFocused();

  const email = page.getByLabel('Email address');
  await email.fill('a@example.org');
  await openPalette(page);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeHidden();
  await expect(email).toBeFocused();
});

test('preloads when its button is hovered, opens by the button and closes by an outside click', async ({
  page,
}) => {
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  const isPaletteRequested = () => requestedPaths.some((path) => PALETTE_FILE.test(path));
  await visit(page, '/login');
  expect(isPaletteRequested()).toBe(false);
  await trigger(page).hover();
  await expect.poll(isPaletteRequested).toBe(true);
  await trigger(page).click();
  await expect(field(page)).toBeFocused();
  await page.mouse.click(5, 5);
  await expect(palette(page)).toBeHidden();
  await expect(trigger(page)).toBeFocused();
});

test('receives clicks as soon as it has the focus', async ({ page }) => {
  await visit(page, '/login');
  const isDialogHit = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const checkHit = () => resolve(document.elementFromPoint(5, 5)?.closest('[role=dialog]') != null);
        document.addEventListener('focusin', checkHit, { once: true });
      }),
  );
  await openPalette(page);
  expect(await isDialogHit).toBe(true);
});

test('finds commands by keywords of both languages and reports an empty result', async ({ page }) => {
  await visit(page, '/login');
  await openPalette(page);
  const status = palette(page).getByRole('status');
  await expect(status).toHaveText('8 commands');
  await field(page).fill('registrieren');
  await expect(page.getByRole('option')).toHaveText([/Create account/]);
  await expect(status).toHaveText('1 command');
  await field(page).fill('pelican');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(palette(page).getByText('No results for “pelican”').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await field(page).fill('theme');
  await expect(page.getByRole('option')).toHaveCount(3);
  await expect(option(page, 'Use system colours')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await expect(option(page, 'Use dark mode')).toHaveAttribute('aria-selected', 'true');
});

test('reports a failed load and loads again on the next attempt', async ({ page }) => {
  await page.route(PALETTE_FILE, (route) => route.abort());
  await visit(page, '/login');
  await page.keyboard.press('Control+k');
  await expect(page.getByText('Loading failed. Check your connection and try again.').first()).toBeVisible();
  await page.unroute(PALETTE_FILE);
  await openPalette(page);
});

test('navigates to pages and moves the focus to the page', async ({ page }) => {
  await signUpWithShortcuts(page);
  await page.goto(await newAdminUrl());
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await waitForShortcuts(page);
  await runCommand(page, 'home', 'Home');
  await expect(page).toHaveURL(`${baseUrl()}/`);
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  await runCommand(page, 'postfach', 'Mailbox');
  await expect(page).toHaveURL(`${baseUrl()}/admin/mailbox`);
});

test('persists a chosen colour mode and lists recent commands first', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(page, '/login');
  await runCommand(page, 'dark', 'Use dark mode');
  await expect.poll(() => mode(page)).toContain('dark');
  await page.reload();
  await waitForShortcuts(page);
  expect(await mode(page)).toContain('dark');
  await openPalette(page);
  const recent = page.getByRole('group', { name: 'Recent' });
  await expect(recent.getByRole('option')).toHaveText([/Use dark mode.*Current/]);
});

test('works without localStorage', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  await visit(page, '/login');
  await runCommand(page, 'dark', 'Use dark mode');
  await expect.poll(() => mode(page)).toContain('dark');
});

test('changes the language of the page and of the palette', async ({ page }) => {
  await visit(page, '/login?mode=sign-up');
  await runCommand(page, 'deutsch', 'Deutsch');
  await expect(page.getByRole('heading', { name: 'Konto erstellen' })).toBeVisible();
  await expect(page).toHaveURL(`${baseUrl()}/login?mode=sign-up`);
  await expect(page.getByRole('button', { name: 'Befehle suchen …' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const german = page.getByRole('dialog', { name: 'Befehlspalette' });
  await expect(german.getByRole('group', { name: 'Darstellung' })).toBeVisible();
});

test('signs out this device', async ({ page }) => {
  await signUpWithShortcuts(page);
  await runCommand(page, 'log out', /^Sign out$/);
  await expect(page).toHaveURL(`${baseUrl()}/login`);
});

test('requires a confirmation before it signs out other devices', async ({ page, browser }) => {
  const person = await signUpWithShortcuts(page);
  const device = await browser.newContext();
  const otherPage = await device.newPage();
  await otherPage.goto(`${baseUrl()}/login`);
  await submitCredentials(otherPage, person);
  await expect(otherPage.getByRole('heading', { name: 'Home' })).toBeVisible();

  await trigger(page).focus();
  await runCommand(page, 'andere', 'Sign out other devices');
  const confirmation = page.getByRole('dialog', { name: 'Sign out other devices?' });
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation).toBeHidden();
  await expect(trigger(page)).toBeFocused();

  await runCommand(page, 'andere', 'Sign out other devices');
  await confirmation.getByRole('button', { name: 'Sign out other devices' }).click();
  await expect(page.getByText('Signed out other devices.', { exact: true }).first()).toBeVisible();
  await expect(page).toHaveURL(`${baseUrl()}/`);

  await runCommand(page, 'everywhere', 'Sign out everywhere');
  await page
    .getByRole('dialog', { name: 'Sign out everywhere?' })
    .getByRole('button', { name: 'Sign out everywhere' })
    .click();
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  await device.close();
});

test('never preselects a sign-out command, even if it was used last', async ({ page }) => {
  const person = await signUpWithShortcuts(page);
  await runCommand(page, 'log out', /^Sign out$/);
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  await submitCredentials(page, person);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await openPalette(page);
  await expect(page.getByRole('option').first()).toHaveText(/^Home/);
});

test('opens the help by its key, the palette and the account menu', async ({ page }) => {
  await signUpWithShortcuts(page);
  await trigger(page).focus();
  await page.keyboard.press('?');
  await expect(help(page)).toContainText('Go to Home');
  await expect(help(page)).not.toContainText('For administrators');
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await expect(trigger(page)).toBeFocused();

  await runCommand(page, 'hotkeys', 'Keyboard shortcuts');
  await expect(help(page)).toBeVisible();
  // The palette still handles Escape during its closing animation and shortly after it.
  await expect(palette(page)).toHaveCount(0);
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(help(page)).toBeHidden({ timeout: 1000 });
  }).toPass();
  await expect(trigger(page)).toBeFocused();

  const account = page.getByRole('button', { name: /^Account of/ });
  await account.click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(help(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await expect(account).toBeFocused();
});

/**
 * Presses a key sequence until it navigates. On a busy machine, the delay between two keys can exceed the limit of a
 * sequence.
 */
async function pressSequence(page: Page, keys: string, path: string): Promise<void> {
  await expect(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await expect(page).toHaveURL(baseUrl() + path, { timeout: 5_000 });
  }).toPass();
}

test('key sequences navigate only to pages that the user may open', async ({ page }) => {
  await visit(page, '/login');
  await pressSequence(page, 'gn', '/login?mode=sign-up');
  await pressSequence(page, 'gl', '/login');

  await signUpWithShortcuts(page);
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await openPalette(page);
  await expect(page).toHaveURL(`${baseUrl()}/`);
  await page.goto(await newAdminUrl());
  await waitForShortcuts(page);
  await pressSequence(page, 'gh', '/');
  await page.goto(await newAdminUrl());
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await pressSequence(page, 'gm', '/admin/mailbox');
  await pressSequence(page, 'gu', '/admin/users');
  await pressSequence(page, 'ga', '/admin');
});

test('t cycles through the colour modes, except on a page with a fixed one', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await signUpWithShortcuts(page);
  await page.keyboard.press('t');
  await expect(page.getByText('Colour mode: Light', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('t');
  await expect(page.getByText('Colour mode: Dark', { exact: true }).first()).toBeVisible();
  await expect.poll(() => mode(page)).toContain('dark');
  await page.keyboard.press('t');
  await expect.poll(() => mode(page)).toContain('light');

  await visit(page, '/admin');
  await page.keyboard.press('t');
  await expect(page.getByText('Always dark here', { exact: true }).first()).toBeVisible();
  expect(await mode(page)).toContain('dark');
  await visit(page, '/');
  expect(await mode(page)).toContain('light');
});

test('F8 focuses the notifications', async ({ page }) => {
  await signUpWithShortcuts(page);
  await page.keyboard.press('t');
  await expect(page.getByText('Colour mode: Light', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('F8');
  await expect(page.getByRole('region', { name: /^Notification/ }).getByRole('list')).toBeFocused();
});

test('triggers no shortcuts while the user types in an editable element', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(page, '/login');
  const email = page.getByLabel('Email address');
  await email.focus();
  await page.keyboard.type('t?gngl');
  await expect(email).toHaveValue('t?gngl');
  await page.evaluate(() => {
    const editor = document.createElement('p');
    editor.contentEditable = 'true';
    editor.id = 'editor';
    document.querySelector('main')?.append(editor);
    editor.focus();
  });
  await page.keyboard.type('t?gn');
  await expect(page.locator('#editor')).toHaveText('t?gn');
  await openPalette(page);
  await page.keyboard.type('t?');
  await expect(field(page)).toHaveValue('t?');
  await expect(help(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  expect(await mode(page)).toContain('light');
});

test('disables single-key shortcuts permanently by the switch in the help', async ({ page }) => {
  await visit(page, '/login');
  await page.keyboard.press('?');
  await help(page).getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  for (const reload of [false, true]) {
    if (reload) await visit(page, '/login');
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await openPalette(page);
    await expect(help(page)).toHaveCount(0);
    await expect(page).toHaveURL(`${baseUrl()}/login`);
    await page.keyboard.press('Escape');
    await expect(palette(page)).toBeHidden();
  }
});

test('opens by the button and does not overflow at 320 px', async ({ browser }) => {
  const phone = await browser.newContext({
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await phone.newPage();
  recordPolicyErrors(page);
  await signUpWithShortcuts(page);
  await trigger(page).tap();
  await expect(field(page)).toBeFocused();
  await expect(palette(page).getByRole('group', { name: 'Go to' })).toBeVisible();
  // Polls until the opening animation has ended.
  const listboxBounds = async () => {
    const box = await page.getByRole('listbox').boundingBox();
    return [box?.x, box?.width].map((length) => Math.round(length ?? -1));
  };
  await expect.poll(listboxBounds).toEqual([1, 318]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await palette(page).getByRole('button', { name: 'Close' }).tap();
  await expect(palette(page)).toBeHidden();
  await phone.close();
});

const VIEWS: [name: string, show: (page: Page) => Promise<unknown>][] = [
  ['the palette', openPalette],
  ['the palette without results', (page) => openPalette(page).then(() => field(page).fill('pelican'))],
  ['the help', (page) => page.keyboard.press('?').then(() => expect(help(page)).toBeVisible())],
  ['the confirmation before signing out', (page) => runCommand(page, 'everywhere', 'Sign out everywhere')],
];

for (const width of [320, 1280]) {
  test(`axe finds no violations at ${width} px`, async ({ browser }) => {
    test.slow();
    const options = { viewport: { width, height: 800 }, reducedMotion: 'reduce' } as const;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    recordPolicyErrors(page);
    await signUpWithShortcuts(page);
    for (const [name, show] of VIEWS) {
      await show(page);
      await expectNoViolationsInBothModesNow(page, name);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await context.close();
  });
}
