/**
 * The catalogue of components, which ships in development only: axe-core finds nothing in it, with everything open, and
 * the constants that a person can see and feel are those of the design. Time is that of a clock that the tests advance.
 * One instance in development serves all of these tests, one after the other.
 */
import { type Browser, type BrowserContext, expect, type Page, test as plainTest } from '@playwright/test';
import { expectNoColourViolationsNow, expectNoViolations, WIDTHS } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { type Instance, removeDataFolder, startInstance } from './support/instance.ts';
import { createAccount, forgetCookies, submitCredentials } from './support/person.ts';
import { newPreparedFolder } from './support/prepared-folder.ts';
import { baseUrl } from './support/shared-instance.ts';

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;

let instance: Instance;
/** Of an administrator. */
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
  await makeAdmin(person.email);
  // The role is in the tokens of the next sign-in.
  await forgetCookies(page);
  await page.goto(`${instance.url}/login`);
  await submitCredentials(page, person);
  await expect(page.getByRole('link', { name: 'Admin' })).toBeVisible();
  // The bundler finds what the catalogue imports at its first visit.
  await visitCatalogue(page);
  await page.waitForLoadState('networkidle');
  cookies = await context.storageState();
  await context.close();
});
test.afterAll(async () => {
  await instance.stop();
  await removeDataFolder(instance.folder);
});

/** Not by the page with the link: in development, its first visit may reload it while the bundler finds packages. */
async function makeAdmin(email: string): Promise<void> {
  await withDatabase(instance.folder, (database) =>
    database.query({
      text: `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role":"admin"}' where email = $1`,
      values: [email],
    }),
  );
}

type Visit = (page: Page) => Promise<unknown>;

const catalogue = () => `${instance.url}/admin/ui`;

async function visitCatalogue(page: Page): Promise<void> {
  await page.goto(catalogue());
  await expect(page.getByRole('heading', { name: 'Components' })).toBeVisible();
}

/** With a clock that stands still. */
async function openCatalogue(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto(catalogue());
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

test('the palette and the keys g c lead to it', async ({ page }) => {
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
  await page.keyboard.type('bausteine');
  await page.getByRole('option', { name: 'Components' }).click();
  await expect(page).toHaveURL(catalogue());
});

for (const [language, query] of [
  ['English', ''],
  ['German', '?lang=de'],
] as const) {
  test(`axe finds nothing in ${language}`, async ({ browser }) => {
    await withPage(browser, async (page) => {
      await page.goto(catalogue() + query);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoViolations(page);
    });
  });
}

const OPENED: [name: string, open: Visit][] = [
  ['a dialog', openBy('Open dialog', 'dialog')],
  ['a sheet', openBy('Open sheet', 'dialog')],
  ['a menu', openBy('Actions', 'menu')],
  ['a tooltip', openTooltip],
  ['toasts', openToasts],
];

for (const choice of ['Light', 'Dark']) {
  test(`axe finds nothing with something open: ${choice}`, async ({ browser }) => {
    await withPage(browser, async (page) => {
      await visitCatalogue(page);
      await page.getByRole('main').getByRole('radio', { name: choice }).check({ force: true });
      for (const [name, open] of OPENED) {
        await open(page);
        const where = `${choice}, ${name}`;
        if (choice === 'Light') await expectNoViolations(page, where, WIDTHS.slice(-1));
        else await expectNoColourViolationsNow(page, where);
        await page.keyboard.press('Escape');
        // Whatever lies over the page hides it from assistive technology.
        await expect(page.getByRole('main')).toBeVisible();
      }
    });
  });
}

test('a build does not have the page', async ({ request }) => {
  expect((await request.get(`${baseUrl()}/admin/ui`)).status()).toBe(404);
});

test('people who are no admins do not see it', async ({ browser }) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await createAccount(page, instance.url);
  const answer = await page.goto(catalogue());
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
  await context.close();
});

test('a dialog holds the focus, closes with Escape, and gives the focus back', async ({ page }) => {
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

test('nothing moves for people who want no motion', async ({ browser }) => {
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

async function showToast(page: Page, button = 'Show a toast'): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.clock.runFor(100);
}

test('toasts stand at the bottom right', async ({ page }) => {
  await openCatalogue(page);
  await showToast(page);
  const box = await toasts(page).boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box && [width - box.x - box.width, height - box.y - box.height]).toEqual([16, 16]);
  expect(box?.width).toBe(24 * 16);
});

test('a toast goes after five seconds', async ({ page }) => {
  await openCatalogue(page);
  await showToast(page);
  await page.mouse.move(1, 1);
  await page.clock.runFor(4_800);
  await expect(toasts(page)).toHaveAttribute('data-state', 'open');
  await page.clock.runFor(200);
  // It is on its way out, or out already.
  await expect(toasts(page).and(page.locator('[data-state=open]'))).toHaveCount(0);
  await page.clock.runFor(250);
  await expect(toasts(page)).toHaveCount(0);
});

test('five toasts are kept, the newest', async ({ page }) => {
  await openCatalogue(page);
  await showToast(page, 'Show an error');
  for (let count = 0; count < 5; count++) await showToast(page);
  await expect(toasts(page)).toHaveCount(5);
  await expect(toasts(page).getByText('This did not work')).toHaveCount(0);
});

for (const [pixels, goes] of [
  [49, false],
  [52, true],
] as const) {
  test(`a toast is swiped away beyond 50 pixels: ${pixels}`, async ({ page }) => {
    await openCatalogue(page);
    await showToast(page);
    const box = await toasts(page).boundingBox();
    const x = (box?.x ?? 0) + 60;
    const y = (box?.y ?? 0) + 20;
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= pixels; step++) await page.mouse.move(x + step, y);
    await page.mouse.up();
    await page.clock.runFor(1_000);
    await expect(toasts(page)).toHaveCount(goes ? 0 : 1);
  });
}

test('F8 leads to the toasts', async ({ page }) => {
  await openCatalogue(page);
  await showToast(page);
  await page.keyboard.press('F8');
  await expect(page.getByRole('region', { name: /^Notification/ }).getByRole('list')).toBeFocused();
});

/** Shown, and drawn: only then does it notice a pointer that leaves. */
async function expectTooltip(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('tooltip')).toHaveText(text);
  await page.clock.runFor(50);
}

/** In many moves, as a hand does: the first ones might lead to the tooltip itself. */
async function moveAway(page: Page): Promise<void> {
  let x = 0;
  await expect(async () => {
    x += 20;
    await page.mouse.move(x, 2);
    await expect(page.getByRole('tooltip')).toHaveCount(0, { timeout: 200 });
  }).toPass({ timeout: 10_000 });
}

test('a tooltip waits, and the next one does not', async ({ page }) => {
  await openCatalogue(page);
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
  // Long after the last one, a tooltip waits again.
  await moveAway(page);
  await page.clock.runFor(310);
  await first.hover();
  await page.clock.runFor(690);
  await expect(tooltip).toHaveCount(0);
});

test('avatars have nine sizes', async ({ page }) => {
  await openCatalogue(page);
  const sizes = await page
    .getByRole('region', { name: 'Avatar', exact: true })
    .locator('span.rounded-full')
    .evaluateAll((avatars) => avatars.map((avatar) => Math.round(avatar.getBoundingClientRect().width)));
  expect(new Set(sizes)).toEqual(new Set([16, 20, 24, 28, 32, 36, 40, 44, 48]));
});

test('a part of a page can have the other mode', async ({ page }) => {
  await openCatalogue(page);
  const ground = () =>
    page.getByRole('heading', { name: 'Foundations' }).evaluate((heading) => getComputedStyle(heading).color);
  const inTheDark = await ground();
  await page
    .getByRole('radiogroup')
    .or(page.getByRole('group'))
    .getByRole('radio', { name: 'Light' })
    .first()
    .check();
  expect(await ground()).not.toBe(inTheDark);
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
  await page.getByRole('button', { name: 'Show one that stays' }).click();
  await page.getByRole('button', { name: 'Show an error' }).click();
  await expect(page.getByText('A new version is ready.').last()).toBeVisible();
}
