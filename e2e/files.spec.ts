/** The file manager of the home page, against the real storage service. Each user has their own files. */
import { mkdir, mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Page,
  type Request,
  test,
} from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { expectNoViolations } from './support/axe.ts';
import { emptyPage, sampleVideo, silence } from './support/media.ts';
import { chooseFromMenu, newPerson, type Person, signUp } from './support/person.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

const PICTURE = join(import.meta.dirname, '..', 'app', 'public', 'icon-192.png');

const files = (page: Page) => page.getByRole('region', { name: 'Files' });
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Files and folders' }).getByRole('listitem').filter({ hasText: name });
const toast = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
/** The entry of a file or folder, by its exact name. */
const entry = (page: Page, name: string) =>
  files(page).getByRole('list', { name: 'Files and folders' }).getByText(name, { exact: true });

/** Signs a new user up and waits until the file tools are loaded. */
async function openFiles(
  browser: Browser,
  options: BrowserContextOptions = {},
  person: Person = newPerson(),
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await signUp(page, baseUrl(), person);
  if (options.javaScriptEnabled !== false) {
    await expect(files(page).getByRole('button', { name: 'New folder' })).toBeVisible({ timeout: 30_000 });
  }
  return page;
}

/** Returns whether a request uploads a chunk after the first one. */
function isLaterChunk(request: Request): boolean {
  return request.method() === 'PATCH' && request.headers()['upload-offset'] !== '0';
}

/** Collects console errors and uncaught exceptions of the page. */
function recordConsoleErrors(page: Page): string[] {
  const consoleErrors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
  page.on('pageerror', ({ message }) => consoleErrors.push(message));
  return consoleErrors;
}

/** Expects the PDF preview: embedded if the browser has a PDF viewer, and as a link to a new tab in each browser. */
async function expectDocument(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const link = dialog.getByRole('link', { name: 'Open in new tab' });
  await expect(link).toBeVisible();
  const hasViewer = await page.evaluate(() => navigator.pdfViewerEnabled);
  await expect(dialog.locator('iframe')).toHaveCount(hasViewer ? 1 : 0);
  const response = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(response.headers()['content-type']).toBe('application/pdf');
  // PDF viewers do not run in a sandboxed document.
  expect(response.headers()['content-security-policy']).toBeUndefined();
}

/** Drags the files and folders at these paths from outside the browser and drops them on the file list. */
async function drop(page: Page, paths: string[]): Promise<void> {
  const target = files(page).getByRole('button', { name: 'New folder' });
  await target.hover();
  const box = await target.boundingBox();
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const position = { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
  const mouse = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await mouse.send('Input.dispatchDragEvent', { type, ...position, data });
  }
  await expect(files(page).getByText('Drop files or folders to upload', { exact: true })).toBeVisible();
  await mouse.send('Input.dispatchDragEvent', { type: 'drop', ...position, data });
}

type FileSelection = Parameters<Page['setInputFiles']>[1];

async function chooseFiles(page: Page, selection: FileSelection): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await files(page).getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles(selection);
}

/** Creates a sparse file of the given size, in bytes. */
async function writeSparseFile(path: string, bytes: number): Promise<void> {
  await writeFile(path, '');
  await truncate(path, bytes);
}

const text = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

async function chooseFromFileMenu(page: Page, name: string, item: string): Promise<void> {
  await files(page)
    .getByRole('button', { name: `Actions for ${name}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('uploads, previews, renames, moves, shares and deletes files', async ({ browser }) => {
  const page = await openFiles(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  const consoleErrors = recordConsoleErrors(page);
  await expect(files(page).getByRole('heading', { name: 'No files yet' })).toBeVisible();

  // Uploads names with characters that storage keys do not allow, and one name twice.
  const buffer = await readFile(PICTURE);
  await chooseFiles(page, [
    { name: 'Übersicht #1 [50%].png', mimeType: 'image/png', buffer },
    text('notes.txt', 'The first'),
    text('notes.txt', 'The second'),
    { name: 'film.webm', mimeType: 'video/webm', buffer: await sampleVideo() },
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: emptyPage() },
    { name: 'sound.wav', mimeType: 'audio/wav', buffer: silence(0.5) },
  ]);
  await expect(entry(page, 'notes (2).txt')).toBeVisible();
  await expect(entry(page, 'Übersicht #1 [50%].png')).toBeVisible();
  await expect(files(page).getByText('6 files uploaded.')).toBeAttached();
  await row(page, 'Übersicht').scrollIntoViewIfNeeded();
  await expect(row(page, 'Übersicht').locator('img')).toHaveJSProperty('naturalWidth', 80);
  await files(page).getByRole('button', { name: 'Clear list' }).click();

  // The arrow keys step through the previews. The content security policy allows media, and the browser plays it.
  await entry(page, 'film.webm').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('video')).toHaveJSProperty('videoWidth', 64);
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByText('The second')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByText('The first')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expectDocument(page);
  await page.keyboard.press('ArrowRight');
  await expect(dialog.locator('audio')).toHaveJSProperty('duration', 0.5);
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('img', { name: /^Übersicht/ })).toHaveJSProperty('naturalWidth', 192);
  await page.keyboard.press('Escape');
  await expect(entry(page, 'Übersicht #1 [50%].png')).toBeFocused();
  expect(consoleErrors).toEqual([]);

  await chooseFromFileMenu(page, 'notes (2).txt', 'Rename');
  await dialog.getByLabel('New name').fill('notes.txt');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This name is already in use. Choose another name.')).toBeVisible();
  await dialog.getByLabel('New name').fill('Köln/Bonn?.txt');
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Köln/Bonn?.txt')).toBeVisible();

  // Moves files to a folder by the menu and by dragging.
  await files(page).getByRole('button', { name: 'New folder' }).click();
  await dialog.getByLabel('Folder name').fill('Reisen 2026');
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Reisen 2026')).toBeVisible();
  await chooseFromFileMenu(page, 'Köln/Bonn?.txt', 'Move');
  await dialog.getByRole('button', { name: 'Reisen 2026' }).click();
  await dialog.getByRole('button', { name: 'Move here' }).click();
  await expect(entry(page, 'Köln/Bonn?.txt')).toHaveCount(0);
  await row(page, 'Übersicht').dragTo(row(page, 'Reisen 2026'));
  await expect(row(page, 'Übersicht')).toHaveCount(0);
  await entry(page, 'Reisen 2026').click();
  await expect(page).toHaveURL(/folder=Reisen/);
  await expect(entry(page, 'Köln/Bonn?.txt')).toBeVisible();
  await expect(row(page, 'Übersicht')).toBeVisible();

  // A signed link works without a session.
  await chooseFromFileMenu(page, 'Köln/Bonn?.txt', 'Share link');
  await dialog.getByLabel('Expires after').selectOption('1 week');
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect(toast(page, 'Link copied')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const token = new URL(link).searchParams.get('token')?.split('.')[1] ?? '';
  const { exp, iat } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { exp: number; iat: number };
  expect(exp - iat).toBe(604_800);
  expect(await (await fetch(link)).text()).toBe('The second');

  // Undoes a deletion before the client sends it to the server.
  await chooseFromFileMenu(page, 'Köln/Bonn?.txt', 'Delete');
  await expect(entry(page, 'Köln/Bonn?.txt')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(entry(page, 'Köln/Bonn?.txt')).toBeVisible();
  expect((await fetch(link)).status).toBe(200);

  // Deletes a file and reloads at once. The new page may be requested before the deletion and must not show the file.
  await chooseFromFileMenu(page, 'Köln/Bonn?.txt', 'Delete');
  await expect(toast(page, '“Köln/Bonn?.txt” deleted.')).toBeVisible();
  await page.reload();
  await expect(files(page).getByRole('button', { name: 'New folder' })).toBeVisible();
  await expect(entry(page, 'Köln/Bonn?.txt')).toHaveCount(0);
  await expect.poll(async () => (await fetch(link)).status).toBe(400);

  // Closing the toast deletes the folder with its contents.
  await page.goto(baseUrl());
  await chooseFromFileMenu(page, 'Reisen 2026', 'Delete');
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Close' }).click();
  expect((await removed).status()).toBe(200);
  await page.reload();
  await expect(entry(page, 'notes.txt')).toBeVisible();
  await expect(entry(page, 'Reisen 2026')).toHaveCount(0);
  await expect(files(page).getByRole('button', { name: 'New folder' })).toBeVisible();
  await expectNoViolations(page, 'files', [390, 1280]);
  await page.context().close();
});

test('uploads dropped folders, and renames and moves them with their contents', async ({ browser }) => {
  const page = await openFiles(browser);
  const directory = await mkdtemp(join(tmpdir(), 'greenroom-files-'));
  const dropped = join(directory, 'Fotos');
  await mkdir(join(dropped, 'Sub', 'Empty'), { recursive: true });
  const name = `${'long name '.repeat(12)}.txt`;
  await writeFile(join(dropped, 'Sub', name), 'In a folder of a folder');
  await writeFile(join(dropped, 'a.txt'), '');
  await writeFile(join(dropped, 'module.wasm'), 'no');
  await writeSparseFile(join(directory, 'huge.bin'), 50_000_001);
  await drop(page, [dropped, join(directory, 'huge.bin')]);
  await expect(files(page).getByText('2 uploads failed.')).toBeAttached();
  await expect(files(page).getByText('This file is too large. Choose a smaller file.')).toBeVisible();
  await expect(files(page).getByText('This file type isn’t supported.')).toBeVisible();
  await files(page).getByRole('button', { name: 'Clear list' }).click();

  await chooseFromFileMenu(page, 'Fotos', 'Rename');
  await page.getByLabel('New name').fill('Bilder 2026');
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Bilder 2026')).toBeVisible();
  await expect(entry(page, 'Fotos')).toHaveCount(0);

  // Drops a folder of the original name next to the renamed one: both stay.
  await drop(page, [dropped]);
  await expect(entry(page, 'Fotos')).toBeVisible();
  await expect(files(page).getByText('2 files uploaded. 1 upload failed.')).toBeAttached();
  await chooseFromFileMenu(page, 'Fotos', 'Move');
  await page.getByRole('dialog').getByRole('button', { name: 'Bilder 2026' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sub' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click();
  await expect(toast(page, '“Fotos” moved.')).toBeVisible();
  await expect(entry(page, 'Fotos')).toHaveCount(0);
  await entry(page, 'Bilder 2026').click();
  await expect(entry(page, 'a.txt')).toBeVisible();
  await chooseFromFileMenu(page, 'Sub', 'Move');
  await page.getByRole('dialog').getByRole('button', { name: 'Files', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click();
  await expect(toast(page, '“Sub” moved.')).toBeVisible();
  await page.goto(`${baseUrl()}/?folder=Sub`);
  await expect(entry(page, 'Empty')).toBeVisible();
  await expect(entry(page, 'Fotos')).toBeVisible();
  await page.goto(`${baseUrl()}/?folder=Sub%2FFotos%2FSub`);
  await entry(page, name).click();
  await expect(page.getByText('In a folder of a folder')).toBeVisible();
  await page.keyboard.press('Escape');
  // A long name is truncated and does not widen the page.
  await page.setViewportSize({ width: 390, height: 800 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.context().close();
});

test('users can neither read nor change the files of other users', async ({ browser }) => {
  const [ada, bob] = [newPerson(), newPerson()];
  const page = await openFiles(browser, {}, ada);
  await chooseFiles(page, [text('secret.txt', 'A surprise')]);
  await expect(entry(page, 'secret.txt')).toBeVisible();
  const otherPage = await openFiles(browser, {}, bob);
  await expect(files(otherPage).getByRole('heading', { name: 'No files yet' })).toBeVisible();

  const { API_URL = baseUrl(), ANON_KEY = '' } = await readStatus();
  const clientOf = async ({ email, password }: Person) => {
    const client = createClient(API_URL, ANON_KEY, { auth: { persistSession: false } });
    const { data } = await client.auth.signInWithPassword({ email, password });
    return { bucket: client.storage.from('files'), id: data.user?.id ?? '' };
  };
  const [own, foreign] = await Promise.all([clientOf(ada), clientOf(bob)]);
  const key = `${own.id}/secret.txt`;
  expect((await own.bucket.list(own.id)).data?.map(({ name }) => name)).toEqual(['secret.txt']);
  expect((await foreign.bucket.list(own.id)).data).toEqual([]);
  expect((await foreign.bucket.download(key)).error).not.toBeNull();
  expect((await foreign.bucket.createSignedUrl(key, 60)).error).not.toBeNull();
  expect((await foreign.bucket.upload(`${own.id}/planted.txt`, 'x')).error).not.toBeNull();
  expect((await foreign.bucket.move(key, `${foreign.id}/taken.txt`)).error).not.toBeNull();
  expect((await foreign.bucket.remove([key])).data).toEqual([]);
  expect(await (await own.bucket.download(key)).data?.text()).toBe('A surprise');
  await Promise.all([page.context().close(), otherPage.context().close()]);
});

test('uploads large files in chunks: pauses, resumes after a reload, and cancels', async ({ browser }) => {
  const page = await openFiles(browser);
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-files-'));
  const large = join(folder, 'large.bin');
  await writeFile(large, Buffer.alloc(14_000_000, 7));
  let createdUploads = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/upload/resumable')) createdUploads += 1;
  });
  // Holds back the second chunk, so that the upload stays unfinished.
  await page.route('**/upload/resumable/*', (route) =>
    isLaterChunk(route.request()) ? undefined : route.continue(),
  );
  await chooseFiles(page, large);
  await expect(files(page).getByText(/^6\.3 MB of 14 MB/)).toBeVisible();
  await files(page).getByRole('button', { name: 'Pause upload of large.bin' }).click();
  await expect(files(page).getByText('Paused')).toBeVisible();

  // The browser asks for confirmation before it leaves the page.
  const dialogShown = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const beforeUnload = await dialogShown;
  expect(beforeUnload.type()).toBe('beforeunload');
  await beforeUnload.accept();
  await reloaded;
  await expect(page.getByRole('list', { name: 'Interrupted uploads' })).toContainText('large.bin');
  await page.unroute('**/upload/resumable/*');
  await chooseFiles(page, large);
  await expect(entry(page, 'large.bin')).toBeVisible({ timeout: 30_000 });
  await expect(row(page, 'large.bin')).toContainText('14 MB');
  expect(createdUploads).toBe(1);
  await expect(page.getByRole('list', { name: 'Interrupted uploads' })).toHaveCount(0);

  // Cancelling an upload also deletes its uploaded chunks.
  await page.route('**/upload/resumable/*', (route) =>
    isLaterChunk(route.request()) ? undefined : route.continue(),
  );
  await chooseFiles(page, large);
  await expect(files(page).getByRole('button', { name: 'Cancel upload of large (2).bin' })).toBeVisible();
  await expect(files(page).getByText(/^6\.3 MB of 14 MB/)).toBeVisible();
  const cancelled = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await files(page).getByRole('button', { name: 'Cancel upload of large (2).bin' }).click();
  expect((await cancelled).status()).toBe(204);
  await expect(files(page).getByText('large (2).bin')).toHaveCount(0);

  // Files that are too large or of a forbidden type are rejected with a reason.
  const tooLargeFile = join(folder, 'huge.bin');
  await writeSparseFile(tooLargeFile, 50_000_001);
  await chooseFiles(page, tooLargeFile);
  await expect(files(page).getByText('This file is too large. Choose a smaller file.')).toBeVisible();
  await chooseFiles(page, {
    name: 'setup.exe',
    mimeType: 'application/x-msdownload',
    buffer: Buffer.from('MZ'),
  });
  await expect(files(page).getByText('This file type isn’t supported.')).toBeVisible();

  // A sign-out during an upload asks for confirmation. The stored upload is kept until the sign-out succeeds.
  await chooseFiles(page, large);
  await expect(files(page).getByText(/^6\.3 MB of 14 MB/)).toBeVisible();
  const countStoredUploads = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus::')).length);
  const signOutAnyway = async () => {
    await chooseFromMenu(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign out and cancel uploads' }).click();
  };
  await page.route('**/sign-out*', (route) => route.abort());
  await signOutAnyway();
  await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
  expect(await countStoredUploads()).toBe(1);
  await page.unroute('**/sign-out*');
  page.once('dialog', (left) => left.accept());
  await page.goto(baseUrl());
  await expect(page.getByRole('list', { name: 'Interrupted uploads' })).toContainText('large (2).bin');
  await chooseFromMenu(page, 'Sign out');
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(countStoredUploads).toBe(0);
  await page.context().close();
});

test('without a network, uploads can be retried and failed deletions restore files', async ({ browser }) => {
  const page = await openFiles(browser);
  const storage = '**/storage/v1/**';
  // Cancels the upload of a small file whose request is pending.
  await page.route(storage, () => undefined);
  await chooseFiles(page, [text('never.txt', 'Never')]);
  await files(page).getByRole('button', { name: 'Cancel upload of never.txt' }).click();
  await expect(files(page).getByText('never.txt')).toHaveCount(0);
  await page.unroute(storage);
  await page.route(storage, (route) => route.abort());
  await chooseFiles(page, [text('later.txt', 'Later')]);
  await expect(files(page).getByText('Waiting for connection')).toBeVisible();
  await page.unroute(storage);
  await files(page).getByRole('button', { name: 'Retry upload of later.txt' }).click();
  await expect(entry(page, 'later.txt')).toBeVisible();

  await page.route(storage, (route) => route.abort());
  await chooseFromFileMenu(page, 'later.txt', 'Delete');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(toast(page, 'Couldn’t delete “later.txt”')).toBeVisible();
  await expect(entry(page, 'later.txt')).toBeVisible();

  await chooseFromFileMenu(page, 'later.txt', 'Rename');
  await page.getByLabel('New name').fill('soon.txt');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('dialog').getByText('The server didn’t respond. Check your connection and try again.'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(files(page).getByText('Couldn’t load your files')).toBeVisible();
  await page.unroute(storage);
  await files(page).getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(entry(page, 'later.txt')).toBeVisible();
  await page.context().close();
});

test('uploads, downloads and deletes files without JavaScript', async ({ browser }) => {
  const page = await openFiles(browser, { javaScriptEnabled: false });
  await files(page).getByLabel('New folder').fill('Pläne');
  await files(page).getByRole('button', { name: 'Create folder' }).click();
  await files(page).getByRole('link', { name: 'Pläne' }).click();
  await expect(files(page).getByRole('navigation', { name: 'Folder path' })).toContainText('Pläne');
  await files(page)
    .getByLabel('Choose files')
    .setInputFiles([text('plän.txt', 'A plan')]);
  await files(page).getByRole('button', { name: 'Upload files' }).click();
  const link = files(page).getByRole('link', { name: 'Download plän.txt' });
  const download = page.waitForEvent('download');
  await link.click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('A plan');
  // Checks the header, because the file name that a browser derives from it depends on the machine's locale.
  const response = await page.request.get(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
  expect(response.headers()['content-disposition']).toContain("filename*=UTF-8''pl%C3%A4n.txt");
  await files(page)
    .getByLabel('Choose files')
    .setInputFiles([{ name: 'setup.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') }]);
  await files(page).getByRole('button', { name: 'Upload files' }).click();
  await expect(files(page).getByText('setup.exe: This file type isn’t supported.')).toBeVisible();
  await page.goto(`${baseUrl()}/?folder=Pl%3DC3%3DA4ne`);
  await files(page).getByRole('button', { name: 'Delete plän.txt' }).click();
  await expect(files(page).getByRole('heading', { name: 'This folder is empty' })).toBeVisible();
  expect((await page.goto(`${baseUrl()}/?folder=..%2Fx`))?.status()).toBe(404);

  // A truncated form gets 400. Without a session, the request is redirected to the login before its body is read.
  const truncatedForm = {
    headers: { origin: baseUrl(), 'content-type': 'multipart/form-data; boundary=x' },
    data: '--x\r\n',
    maxRedirects: 0,
  };
  expect((await page.request.post(`${baseUrl()}/?index&with-files`, truncatedForm)).status()).toBe(400);
  await page.context().clearCookies();
  expect((await page.request.post(`${baseUrl()}/?index&with-files`, truncatedForm)).status()).toBe(302);
  await page.context().close();
});
