/** The profile picture: users choose and crop it on the account page, and every page shows it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolationsNow } from './support/axe.ts';
import { signUp } from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';

const PICTURE = join(import.meta.dirname, '..', 'app', 'public', 'share.png');

const menuPicture = (page: Page) => page.getByRole('button', { name: /^Account of/ }).locator('img');

test('crops a picture, shows it on all pages, replaces and removes it', async ({ page, browser }) => {
  const person = await signUp(page);
  await page.goto(`${baseUrl()}/account`);
  const chooseFile = async (button: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    return chooser;
  };
  await (await chooseFile('Choose picture')).setFiles({
    name: 'not-a-picture.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no'),
  });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('This file isn’t a supported image.')).toBeVisible();
  await page.keyboard.press('Escape');

  await (await chooseFile('Choose picture')).setFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: await readFile(PICTURE),
  });
  const part = dialog.getByRole('group', { name: 'Visible area' });
  const pixels = () => part.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  await expect(part).toBeVisible();
  const full = await pixels();
  await part.press('+');
  await expect(dialog.getByLabel('Zoom')).toHaveValue('1.1');
  await part.press('ArrowLeft');
  await expect.poll(pixels).not.toBe(full);
  const moved = await pixels();
  await part.hover();
  await page.mouse.down();
  await page.mouse.move(300, 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(pixels).not.toBe(moved);
  await expectNoViolationsNow(page, 'cropper');
  await dialog.getByRole('button', { name: 'Save picture' }).click();
  await expect(dialog).toHaveCount(0);

  // The picture is on this page, on the home page, and public at its URL.
  await expect(menuPicture(page)).toHaveJSProperty('naturalWidth', 256);
  // On a phone, the buttons leave enough width for the name.
  await page.setViewportSize({ width: 390, height: 800 });
  const name = await page.getByRole('main').getByText(person.email, { exact: true }).first().boundingBox();
  expect(name?.width).toBeGreaterThan(150);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(baseUrl());
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect(page.getByRole('main').locator('img').first()).toHaveJSProperty('naturalWidth', 256);
  const first = new URL((await menuPicture(page).getAttribute('src')) ?? '', baseUrl()).href;
  const context = await browser.newContext();
  expect((await context.request.get(first)).headers()['content-type']).toBe('image/webp');
  // Other users see the picture on the board.
  const otherPage = await context.newPage();
  await signUp(otherPage);
  const presenceAvatar = otherPage
    .getByRole('list', { name: 'Online now' })
    .locator(`img[src="${new URL(first).pathname}"]`);
  await expect(presenceAvatar).toHaveJSProperty('naturalWidth', 256);
  await context.close();

  await page.goto(`${baseUrl()}/account`);
  await (await chooseFile('Change picture')).setFiles(PICTURE);
  await dialog.getByRole('button', { name: 'Save picture' }).click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(async () => new URL((await menuPicture(page).getAttribute('src')) ?? '', baseUrl()).href)
    .not.toBe(first);
  expect((await page.request.get(first)).status()).toBe(400);

  await page.getByRole('button', { name: 'Remove picture' }).click();
  await expect(menuPicture(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Choose picture' })).toBeFocused();
  await page.reload();
  await expect(menuPicture(page)).toHaveCount(0);
});
