/**
 * `npm run screens [-- demo admin]`: takes screenshots of the pages for the documents, from separate instances. Without names, it
 * takes both groups and removes former pictures.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { takeAdminArea } from './screens/admin-pages.ts';
import { type Mode, TARGET } from './screens/camera.ts';
import { takeClaim, takeComponents, takeOpenPages } from './screens/open-pages.ts';
import { newDataFolder, removeDataFolder, startInstance } from './support/instance.ts';

/** Pictures of the demo, and of the admin area of an instance with more data. */
const GROUPS = { demo: takeDemo, admin: takeAdminArea };

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.find((name) => !Object.hasOwn(GROUPS, name));
if (unknown !== undefined) throw new Error(`unknown group: ${unknown}; available: ${Object.keys(GROUPS)}`);

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
if (positionals.length === 0) await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
try {
  for (const [name, takeGroup] of Object.entries(GROUPS))
    if (positionals.length === 0 || positionals.includes(name)) await takeGroup(browser);
} finally {
  await browser.close();
}

/** The page of the components exists in development only. */
async function takeDemo(from: Browser): Promise<void> {
  const folder = await newDataFolder();
  let instance = await startInstance(folder);
  try {
    for (const mode of ['light', 'dark'] as const)
      await inMode(from, mode, (page) => takeOpenPages(page, instance.url, mode));
    await inMode(from, 'dark', (page) => takeClaim(page, instance.url, instance.firstAdminUrl ?? ''));
    await takeOverview(from);
    await instance.stop();
    instance = await startInstance(folder, {}, 'dev');
    await inMode(from, 'dark', (page) => takeComponents(page, instance.url));
  } finally {
    await instance.stop();
    await removeDataFolder(folder);
  }
}

async function inMode(from: Browser, mode: Mode, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await from.newContext({ colorScheme: mode, reducedMotion: 'reduce', locale: 'en-GB' });
  await use(await context.newPage());
  await context.close();
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
