/**
 * The component catalogue, which ships in development only: axe-core finds no violations in it, also while overlays are
 * open, and visible constants (durations, sizes, distances) match the design. Tests that measure time use a fake clock
 * that they advance. One development instance serves all tests, in sequence.
 */
import { type Browser, type BrowserContext, expect, type Page, test as plainTest } from '@playwright/test';
import { expectNoColourViolationsNow, expectNoViolations, WIDTHS } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { type Instance, removeDataFolder, startInstance } from './support/instance.ts';
import { createAccount, forgetCookies, type Person } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';
import { baseUrl } from './support/shared-instance.ts';

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;

let instance: Instance;
/** Cookies of an administrator. */
let cookies: Cookies;

const test = plainTest.extend({
  storageState: async ({ browserName: _ }, use) => use(cookies),
});
test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ browser }) => {
  instance = await startInstance(await newPreparedFolder(), {}, 'dev');
  const context = await browser.newContext();
  const page = await context.newPage();
  const person = await createAccount(page, instance.url);
  await grantAdmin(person.email);
  // Tokens contain the role only after the next sign-in.
  await forgetCookies(page);
  await signInByForm(page, person);
  // The first visit takes long, because the bundler transforms all modules of the page.
  await page.goto(instance.url);
  await expect(page.getByRole('link', { name: 'Admin' })).toBeVisible();
  await visitCatalogue(page);
  await page.waitForLoadState('networkidle');
  cookies = await context.storageState();
  await context.close();
});
test.afterAll(async () => {
  await instance.stop();
  await removeDataFolder(instance.folder);
});

/**
 * Sets the admin role in the database. The claim page is not used: in development, the bundler may reload it on its
 * first visit when it discovers packages.
 */
async function grantAdmin(email: string): Promise<void> {
  await withDatabase(instance.folder, (database) =>
    database.query({
      text: `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role":"admin"}' where email = $1`,
      values: [email],
    }),
  );
}

/** As a page without scripts does: a form that is filled in while the page reloads would be lost. */
async function signInByForm(page: Page, { email, password }: Person): Promise<void> {
  const response = await page.request.post(`${instance.url}/login`, {
    form: { email, password },
    headers: { origin: new URL(instance.url).origin },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(302);
}

type Visit = (page: Page) => Promise<unknown>;

const catalogue = () => `${instance.url}/admin/ui`;

async function visitCatalogue(page: Page): Promise<void> {
  await page.goto(catalogue());
  await expect(page.getByRole('heading', { name: 'Components' })).toBeVisible();
  await waitUntilInteractive(page);
}

/** Waits until React handles the events of all buttons; a click before that would do nothing. */
async function waitUntilInteractive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main button')].every((button) =>
      Object.keys(button).some((key) => key.startsWith('__reactProps')),
    ),
  );
}

/** Opens the catalogue with a paused clock. */
async function openCatalogueWithPausedClock(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await visitCatalogue(page);
  await page.waitForLoadState('networkidle');
  await page.clock.pauseAt(Date.now() + 60_000);
}

async function withPage(browser: Browser, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    storageState: cookies,
  });
  await use(await context.newPage());
  await context.close();
}

test('opens the catalogue by the keys g c and by the command palette', async ({ page }) => {
  await page.goto(instance.url);
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await expect(page).toHaveURL(catalogue(), { timeout: 5_000 });
  }).toPass();
  await page.goto(instance.url);
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.type('komponenten');
  await page.getByRole('option', { name: 'Components' }).click();
  await expect(page).toHaveURL(catalogue());
});

for (const [language, query] of [
  ['English', ''],
  ['German', '?lang=de'],
] as const) {
  test(`axe finds no violations in ${language}`, async ({ browser }) => {
    await withPage(browser, async (page) => {
      await page.goto(catalogue() + query);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoViolations(page);
    });
  });
}

const OVERLAYS: [name: string, open: Visit][] = [
  ['a dialog', openBy('Open dialog', 'dialog')],
  ['a sheet', openBy('Open sheet', 'dialog')],
  ['a menu', openBy('Actions', 'menu')],
  ['a tooltip', openTooltip],
  ['toasts', openToasts],
];

for (const choice of ['Light', 'Dark']) {
  test(`axe finds no violations while overlays are open: ${choice}`, async ({ browser }) => {
    await withPage(browser, async (page) => {
      await visitCatalogue(page);
      await page.getByRole('main').getByRole('radio', { name: choice }).check({ force: true });
      for (const [name, open] of OVERLAYS) {
        await open(page);
        const where = `${choice}, ${name}`;
        if (choice === 'Light') await expectNoViolations(page, where, WIDTHS.slice(-1));
        else await expectNoColourViolationsNow(page, where);
        await page.keyboard.press('Escape');
        // An open overlay hides `main` from assistive technology, so a visible `main` means that it is closed.
        await expect(page.getByRole('main')).toBeVisible();
      }
    });
  });
}

test('responds with 404 for the catalogue in a production build', async ({ request }) => {
  expect((await request.get(`${baseUrl()}/admin/ui`)).status()).toBe(404);
});

test('responds with 403 for the catalogue to a user who is not an admin', async ({ browser }) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await createAccount(page, instance.url);
  const response = await page.goto(catalogue());
  expect(response?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
  await context.close();
});

test('a dialog traps the focus, closes on Escape and restores the focus', async ({ page }) => {
  await visitCatalogue(page);
  await page.waitForLoadState('networkidle');
  const opener = page.getByRole('button', { name: 'Open dialog' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete this note?' });
  await expect(dialog).toBeVisible();
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test('runs no animation if the user prefers reduced motion', async ({ browser }) => {
  await withPage(browser, async (page) => {
    await visitCatalogue(page);
    const longest = await page.evaluate(() =>
      Math.max(
        ...document
          .getAnimations()
          .map(({ effect }) => Number(effect?.getComputedTiming().activeDuration ?? 0)),
        0,
      ),
    );
    expect(longest).toBeLessThan(1);
  });
});

const toasts = (page: Page) => page.getByRole('region', { name: /^Notification/ }).getByRole('listitem');

async function showToast(page: Page, button = 'Show toast'): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.clock.runFor(100);
}

test('shows toasts at the bottom right', async ({ page }) => {
  await openCatalogueWithPausedClock(page);
  await showToast(page);
  const box = await toasts(page).boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box && [width - box.x - box.width, height - box.y - box.height]).toEqual([16, 16]);
  expect(box?.width).toBe(24 * 16);
});

test('closes a toast after five seconds', async ({ page }) => {
  await openCatalogueWithPausedClock(page);
  await showToast(page);
  await page.mouse.move(1, 1);
  await page.clock.runFor(4_800);
  await expect(toasts(page)).toHaveAttribute('data-state', 'open');
  await page.clock.runFor(200);
  // The toast is in its closing animation or already removed.
  await expect(toasts(page).and(page.locator('[data-state=open]'))).toHaveCount(0);
  await page.clock.runFor(250);
  await expect(toasts(page)).toHaveCount(0);
});

test('keeps only the five newest toasts', async ({ page }) => {
  await openCatalogueWithPausedClock(page);
  await showToast(page, 'Show error');
  for (let count = 0; count < 5; count++) await showToast(page);
  await expect(toasts(page)).toHaveCount(5);
  await expect(toasts(page).getByText('Couldn’t save your changes')).toHaveCount(0);
});

for (const [pixels, isClosed] of [
  [49, false],
  [52, true],
] as const) {
  test(`closes a toast by a swipe of more than 50 pixels only: ${pixels}`, async ({ page }) => {
    await openCatalogueWithPausedClock(page);
    await showToast(page);
    const box = await toasts(page).boundingBox();
    const x = (box?.x ?? 0) + 60;
    const y = (box?.y ?? 0) + 20;
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= pixels; step++) await page.mouse.move(x + step, y);
    await page.mouse.up();
    await page.clock.runFor(1_000);
    await expect(toasts(page)).toHaveCount(isClosed ? 0 : 1);
  });
}

test('focuses the toasts by F8', async ({ page }) => {
  await openCatalogueWithPausedClock(page);
  await showToast(page);
  await page.keyboard.press('F8');
  await expect(page.getByRole('region', { name: /^Notification/ }).getByRole('list')).toBeFocused();
});

/** Waits until the tooltip is shown and painted; before that, it does not react to a pointer that leaves. */
async function expectTooltip(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('tooltip')).toHaveText(text);
  await page.clock.runFor(50);
}

/** Moves the pointer away in several steps, because the first positions may lie over the tooltip itself. */
async function moveAway(page: Page): Promise<void> {
  let x = 0;
  await expect(async () => {
    x += 20;
    await page.mouse.move(x, 2);
    await expect(page.getByRole('tooltip')).toHaveCount(0, { timeout: 200 });
  }).toPass({ timeout: 10_000 });
}

test('delays the first tooltip and skips the delay for the next one', async ({ page }) => {
  await openCatalogueWithPausedClock(page);
  const entry = page.getByRole('region', { name: 'Tooltip', exact: true });
  const first = entry.getByRole('button', { name: 'Search' });
  const second = entry.getByRole('button', { name: 'Edit' });
  const tooltip = page.getByRole('tooltip');
  await first.scrollIntoViewIfNeeded();
  await first.hover();
  await page.clock.runFor(690);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(20);
  await expectTooltip(page, 'Search K');
  await moveAway(page);
  await page.clock.runFor(290);
  await second.hover();
  await page.clock.runFor(10);
  await expectTooltip(page, 'Edit');
  // After the skip delay has passed, a tooltip opens with a delay again.
  await moveAway(page);
  await page.clock.runFor(310);
  await first.hover();
  await page.clock.runFor(690);
  await expect(tooltip).toHaveCount(0);
});

test('shows a tooltip that was requested before its code was loaded', async ({ page }) => {
  const codeRequested = Promise.withResolvers<void>();
  await page.route(/tooltip-layer/, async (route) => {
    await codeRequested.promise;
    await route.continue();
  });
  const request = page.waitForRequest(/tooltip-layer/);
  await page.goto(catalogue());
  await request;
  const button = page
    .getByRole('region', { name: 'Tooltip', exact: true })
    .getByRole('button', { name: 'Search' });
  await button.hover();
  codeRequested.resolve();
  await expect(page.getByRole('tooltip')).toHaveText('Search K');
});

test('describes a focused element by its tooltip until Escape is pressed', async ({ page }) => {
  await visitCatalogue(page);
  await page.waitForLoadState('networkidle');
  const button = page
    .getByRole('region', { name: 'Tooltip', exact: true })
    .getByRole('button', { name: 'Edit' });
  // Tooltips close when the page scrolls.
  await button.scrollIntoViewIfNeeded();
  await button.focus();
  const tooltip = page.getByRole('tooltip');
  await expect(tooltip).toHaveText('Edit');
  await expect(button).toHaveAttribute('aria-describedby', (await tooltip.getAttribute('id')) ?? '');
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
  await expect(button).not.toHaveAttribute('aria-describedby');
  await expect(button).toBeFocused();
});

test('renders avatars in nine sizes', async ({ page }) => {
  await openCatalogueWithPausedClock(page);
  const sizes = await page
    .getByRole('region', { name: 'Avatar', exact: true })
    .locator('span.rounded-full')
    .evaluateAll((avatars) => avatars.map((avatar) => Math.round(avatar.getBoundingClientRect().width)));
  expect(new Set(sizes)).toEqual(new Set([16, 20, 24, 28, 32, 36, 40, 44, 48]));
});

test('renders a section in the other colour mode', async ({ page }) => {
  await openCatalogueWithPausedClock(page);
  const headingColour = () =>
    page.getByRole('heading', { name: 'Foundations' }).evaluate((heading) => getComputedStyle(heading).color);
  const darkColour = await headingColour();
  await page
    .getByRole('radiogroup')
    .or(page.getByRole('group'))
    .getByRole('radio', { name: 'Light' })
    .first()
    .check();
  expect(await headingColour()).not.toBe(darkColour);
});

function openBy(button: string, role: 'dialog' | 'menu'): Visit {
  return async (page) => {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole(role)).toBeVisible();
  };
}

async function openTooltip(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).last().hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
}

async function openToasts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show persistent toast' }).click();
  await page.getByRole('button', { name: 'Show error' }).click();
  await expect(page.getByText('A new version is available.').last()).toBeVisible();
}
