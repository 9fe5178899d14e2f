/** Pictures of the pages that users see before and after they sign in, in the order in which they see them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Mode, take } from './camera.ts';

const PERSON = { email: 'ada@example.org', password: 'correct horse' };
const EXPIRED = '/confirm?error=access_denied&error_code=otp_expired';

/** Notes, oldest first: text, colour and visibility. */
const NOTES = [
  ['Book the hall for the spring concert', 'Green', 'Everyone'],
  ['A present for Grace: the book about lighthouses', 'Pink', 'Only you'],
  ['Programme:\n1. Overture\n2. Three songs\n3. A surprise', 'Blue', 'Everyone'],
  ['Who brings the lamp for the music stand?', 'Yellow', 'Everyone'],
] as const;

/** A sample image for the user's files. */
const POSTER = join(import.meta.dirname, '..', '..', 'app', 'public', 'share.png');

/** Takes the pages of a visitor and of a user. */
export async function takeOpenPages(page: Page, url: string, mode: Mode): Promise<void> {
  await visit(page, `${url}/login`);
  await take(page, `sign-in-${mode}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await take(page, `sign-in-problems-${mode}`);
  await visit(page, `${url}/login?mode=sign-up`);
  await take(page, `sign-up-${mode}`);
  await visit(page, `${url}/login?mode=code`);
  await page.getByLabel('Email address').fill(`${mode}.${PERSON.email}`);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await take(page, `code-${mode}`, ['desktop', 'phone']);
  await visit(page, url + EXPIRED);
  await take(page, `confirm-${mode}`);
  await signIn(page, url);
  await fillBoard(page, url);
  await fillFiles(page);
  await take(page, `home-${mode}`);
  await takeFiles(page, mode);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await take(page, `home-menu-${mode}`, ['desktop', 'phone']);
  await visit(page, `${url}/account`);
  await take(page, `account-${mode}`);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
  await take(page, `account-app-${mode}`, ['desktop', 'phone']);
  await visit(page, `${url}/no-such-page`);
  await take(page, `not-found-${mode}`);
  await visit(page, `${url}/?lang=de`);
  await take(page, `home-german-${mode}`, ['phone']);
}

/** Takes the admin area as a user sees it, and the way to become an administrator. */
export async function takeClaim(page: Page, url: string, claimUrl: string): Promise<void> {
  await signIn(page, url);
  await visit(page, `${url}/admin/users`);
  await take(page, 'admins-only', ['desktop']);
  const { pathname, search } = new URL(claimUrl);
  await visit(page, url + pathname + search);
  await take(page, 'claim', ['desktop', 'phone']);
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** The components page exists in development only, and has a switch for either mode. */
export async function takeComponents(page: Page, url: string): Promise<void> {
  await signIn(page, url);
  await visit(page, `${url}/admin/ui`);
  await take(page, 'components-dark', ['desktop', 'phone']);
  await page.getByRole('main').getByRole('radio', { name: 'Light' }).check({ force: true });
  await take(page, 'components-light', ['desktop']);
  await page.getByRole('button', { name: 'Open dialog' }).click();
  await take(page, 'dialog-light', ['desktop', 'phone']);
}

async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForLoadState('networkidle');
}

/** Uses the same account each time: signs up first, signs in later. */
async function signIn(page: Page, url: string): Promise<void> {
  for (const [path, button] of [
    ['/login?mode=sign-up', 'Create account'],
    ['/login', 'Sign in'],
  ] as const) {
    await visit(page, url + path);
    await page.getByLabel('Email address').fill(PERSON.email);
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
    await page.getByRole('button', { name: button, exact: true }).click();
    const home = page.getByRole('heading', { name: 'Home' });
    const outcome = home.or(page.getByRole('alert')).or(page.locator('[aria-invalid]')).first();
    await outcome.waitFor();
    if (await home.isVisible()) return;
  }
  throw new Error('could not sign in');
}

/** Uploads files unless an earlier run has uploaded them. */
async function fillFiles(page: Page): Promise<void> {
  const files = page.getByRole('region', { name: 'Files' });
  await files.getByRole('button', { name: 'New folder' }).waitFor();
  if ((await files.getByText('Poster.png').count()) > 0) return;
  await files.getByRole('button', { name: 'New folder' }).click();
  await page.getByLabel('Folder name').fill('Programme');
  await page.keyboard.press('Enter');
  await files.getByText('Programme').waitFor();
  const chooser = page.waitForEvent('filechooser');
  await files.getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles([
    { name: 'Poster.png', mimeType: 'image/png', buffer: await readFile(POSTER) },
    { name: 'Who brings what.txt', mimeType: 'text/plain', buffer: Buffer.from('Lamp: Grace') },
  ]);
  await files.getByText('2 files uploaded.').waitFor({ state: 'attached' });
  await files.getByRole('button', { name: 'Clear list' }).click();
}

async function takeFiles(page: Page, mode: Mode): Promise<void> {
  const files = page.getByRole('region', { name: 'Files' });
  await files.scrollIntoViewIfNeeded();
  await files.locator('img').waitFor();
  await take(page, `files-${mode}`, ['desktop', 'phone'], files);
}

async function fillBoard(page: Page, url: string): Promise<void> {
  const list = page.getByRole('list', { name: 'Notes' }).getByRole('listitem');
  await page.getByText('Live', { exact: true }).waitFor();
  if ((await list.count()) === 0) {
    for (const [text, colour, visibility] of NOTES) {
      await page.getByRole('radio', { name: colour }).first().check({ force: true });
      await page.getByRole('radio', { name: visibility }).check({ force: true });
      await page.getByLabel('New note').fill(text);
      await page.getByRole('button', { name: 'Add note' }).click();
    }
    await list.getByText('Not sent yet').first().waitFor({ state: 'detached' });
  }
  await visit(page, `${url}/`);
  await page.getByText('Live', { exact: true }).waitFor();
  await list.nth(NOTES.length - 1).waitFor();
}
