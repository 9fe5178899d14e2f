/** `npm run screens`: pictures of the pages for the documents, from an instance of their own. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { newDataFolder, removeDataFolder, startInstance } from './support/instance.ts';

const TARGET = join(import.meta.dirname, '..', 'docs', 'screens');
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const PERSON = { email: 'ada@example.org', password: 'correct horse' };

const folder = await newDataFolder();
const instance = await startInstance(folder);
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
await mkdir(TARGET, { recursive: true });
try {
  for (const mode of ['light', 'dark'] as const) {
    for (const size of ['desktop', 'phone'] as const) await takeAll(browser, mode, size);
  }
  await takeOverview(browser);
} finally {
  await browser.close();
  await instance.stop();
  await removeDataFolder(folder);
}

/** Every page once, in the order in which a person meets them. */
async function takeAll(from: Browser, mode: 'light' | 'dark', size: keyof typeof SIZES): Promise<void> {
  const context = await from.newContext({
    colorScheme: mode,
    viewport: SIZES[size],
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const take = (name: string) => page.screenshot({ path: join(TARGET, `${name}-${size}-${mode}.png`) });
  await visit(page, '/login');
  await take('sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await take('sign-in-problems');
  await visit(page, '/login?mode=sign-up');
  await take('sign-up');
  await enter(page);
  await take('home');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await take('home-menu');
  await visit(page, '/no-such-page');
  await take('not-found');
  await visit(page, '/confirm?error=access_denied&error_description=Email+link+is+invalid+or+has+expired');
  await take('confirm');
  await visit(page, '/admin');
  await take(instance.firstAdminUrl && mode === 'light' && size === 'desktop' ? 'admins-only' : 'admin');
  if (mode === 'light' && size === 'desktop') await claimAdmin(page, take);
  await context.close();
}

async function claimAdmin(page: Page, take: (name: string) => Promise<unknown>): Promise<void> {
  await page.goto(instance.firstAdminUrl ?? '');
  await take('claim');
  await page.getByRole('button', { name: 'Become the administrator' }).click();
  await page.getByRole('table').waitFor();
  await take('admin');
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(instance.url + path);
  await page.waitForLoadState('networkidle');
}

/** The same person each time: signs up first, signs in later. */
async function enter(page: Page): Promise<void> {
  for (const [path, button] of [
    ['/login?mode=sign-up', 'Create account'],
    ['/login', 'Sign in'],
  ] as const) {
    await visit(page, path);
    await page.getByLabel('Email address').fill(PERSON.email);
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
    await page.getByRole('button', { name: button, exact: true }).click();
    const room = page.getByRole('heading', { name: 'Your room' });
    const outcome = room.or(page.getByRole('alert')).or(page.locator('[aria-invalid]')).first();
    await outcome.waitFor();
    if (await room.isVisible()) return;
  }
  throw new Error('could not sign in');
}

/** Sign-in and home side by side, for the first screen of the README. */
async function takeOverview(from: Browser): Promise<void> {
  const page = await from.newPage({ viewport: { width: 1320, height: 420 } });
  const images = await Promise.all(
    ['sign-in-desktop-light.png', 'home-desktop-dark.png'].map(async (name) => {
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
