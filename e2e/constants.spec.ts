/** The constants that a person can see and feel, on the catalogue of components. Time is that of a clock we wind. */
import { expect, type Page, test as plainTest } from '@playwright/test';
import { baseUrl } from './support/shared-instance.ts';
import { cookiesOf } from './support/visitor.ts';

const test = plainTest.extend({
  storageState: async ({ browser }, use) => use(await cookiesOf('an admin', browser)),
});

/** The catalogue, for an administrator, with a clock that stands still. */
async function openCatalogue(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto(`${baseUrl()}/admin/ui`);
  await page.waitForLoadState('networkidle');
  await page.clock.pauseAt(Date.now() + 60_000);
}

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
