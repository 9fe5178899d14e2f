/** `npm run screens`: takes screenshots of the pages for the documents, from a separate instance. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { newDataFolder, removeDataFolder, startInstance } from './support/instance.ts';

const TARGET = join(import.meta.dirname, '..', 'docs', 'screens');
const SIZES = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1100 },
  phone: { width: 390, height: 844 },
} as const;
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
const POSTER = join(import.meta.dirname, '..', 'app', 'public', 'share.png');

type Mode = 'light' | 'dark';

const folder = await newDataFolder();
let instance = await startInstance(folder);
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
try {
  await inMode(browser, 'light', takeOpenPages);
  await inMode(browser, 'dark', takeOpenPages);
  await inMode(browser, 'dark', takeAdmin);
  await takeOverview(browser);
  await instance.stop();
  instance = await startInstance(folder, {}, 'dev');
  await inMode(browser, 'dark', takeComponents);
} finally {
  await browser.close();
  await instance.stop();
  await removeDataFolder(folder);
}

async function inMode(
  from: Browser,
  mode: Mode,
  take: (page: Page, mode: Mode) => Promise<void>,
): Promise<void> {
  const context = await from.newContext({ colorScheme: mode, reducedMotion: 'reduce', locale: 'en-GB' });
  await take(await context.newPage(), mode);
  await context.close();
}

/** Takes the pages that users see before and after they sign in, in the order in which they see them. */
async function takeOpenPages(page: Page, mode: Mode): Promise<void> {
  await visit(page, '/login');
  await take(page, `sign-in-${mode}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await take(page, `sign-in-problems-${mode}`);
  await visit(page, '/login?mode=sign-up');
  await take(page, `sign-up-${mode}`);
  await visit(page, '/login?mode=code');
  await page.getByLabel('Email address').fill(`${mode}.${PERSON.email}`);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await take(page, `code-${mode}`, ['desktop', 'phone']);
  await visit(page, EXPIRED);
  await take(page, `confirm-${mode}`);
  await signIn(page);
  await fillBoard(page);
  await fillFiles(page);
  await take(page, `home-${mode}`);
  await takeFiles(page, mode);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await take(page, `home-menu-${mode}`, ['desktop', 'phone']);
  await visit(page, '/account');
  await take(page, `account-${mode}`);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
  await take(page, `account-app-${mode}`, ['desktop', 'phone']);
  await visit(page, '/no-such-page');
  await take(page, `not-found-${mode}`);
  await visit(page, '/?lang=de');
  await take(page, `home-german-${mode}`, ['phone']);
}

/** The admin area is always dark. */
async function takeAdmin(page: Page): Promise<void> {
  await signIn(page);
  await visit(page, '/admin/users');
  await take(page, 'admins-only', ['desktop']);
  const { pathname, search } = new URL(instance.firstAdminUrl ?? '');
  await visit(page, pathname + search);
  await take(page, 'claim', ['desktop', 'phone']);
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await page.getByRole('table').waitFor();
  await take(page, 'admin');
  await visit(page, '/admin/mailbox');
  await page.getByRole('list', { name: 'Messages' }).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Open link' }).waitFor();
  await take(page, 'mailbox');
}

/** The components page exists in development only, and has a switch for either mode. */
async function takeComponents(page: Page): Promise<void> {
  await signIn(page);
  await visit(page, '/admin/ui');
  await take(page, 'components-dark', ['desktop', 'phone']);
  await page.getByRole('main').getByRole('radio', { name: 'Light' }).check({ force: true });
  await take(page, 'components-light', ['desktop']);
  await page.getByRole('button', { name: 'Open dialog' }).click();
  await take(page, 'dialog-light', ['desktop', 'phone']);
}

async function take(
  page: Page,
  name: string,
  sizes = Object.keys(SIZES) as (keyof typeof SIZES)[],
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    await page.screenshot({ path: join(TARGET, `${name}-${size}.png`) });
  }
  await page.setViewportSize(SIZES.desktop);
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(instance.url + path);
  await page.waitForLoadState('networkidle');
}

/** Uses the same account each time: signs up first, signs in later. */
async function signIn(page: Page): Promise<void> {
  for (const [path, button] of [
    ['/login?mode=sign-up', 'Create account'],
    ['/login', 'Sign in'],
  ] as const) {
    await visit(page, path);
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
  for (const size of ['desktop', 'phone'] as const) {
    await page.setViewportSize(SIZES[size]);
    await files.evaluate((part) => part.scrollIntoView());
    await page.screenshot({ path: join(TARGET, `files-${mode}-${size}.png`) });
  }
  await page.setViewportSize(SIZES.desktop);
}

async function fillBoard(page: Page): Promise<void> {
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
  await visit(page, '/');
  await page.getByText('Live', { exact: true }).waitFor();
  await list.nth(NOTES.length - 1).waitFor();
}

/** Combines sign-in and home in one picture, for the top of the README. */
async function takeOverview(from: Browser): Promise<void> {
  const page = await from.newPage({ viewport: { width: 1320, height: 420 } });
  const images = await Promise.all(
    ['sign-in-light-desktop.png', 'home-dark-desktop.png'].map(async (name) => {
      const picture = await readFile(join(TARGET, name), 'base64');
      return `<img src="data:image/png;base64,${picture}" width="640" height="400" alt="">`;
    }),
  );
  await page.setContent(
    `<body style="margin:10px;display:flex;gap:20px;background:#cbd5e1">${images.join('')}</body>`,
  );
  await page.screenshot({ path: join(TARGET, 'overview.png') });
  await page.close();
}
