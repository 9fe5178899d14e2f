/** The files of the home page: two people, each with their own, against storage as it is. */
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
/** Known by a name of which no other is a part. */
const opener = (page: Page, name: string) =>
  files(page).getByRole('list', { name: 'Files and folders' }).getByText(name, { exact: true });

/** Somebody new, whose page has its tools. */
async function enter(
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

/** A part that is not the first. */
function isSecondPart(request: Request): boolean {
  return request.method() === 'PATCH' && request.headers()['upload-offset'] !== '0';
}

/** What the browser says in its console about the page. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  return complaints;
}

/** In the browser's own viewer, where it has one; in a tab of its own, everywhere. */
async function expectDocument(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const link = dialog.getByRole('link', { name: 'Open in a new tab' });
  await expect(link).toBeVisible();
  const hasViewer = await page.evaluate(() => navigator.pdfViewerEnabled);
  await expect(dialog.locator('iframe')).toHaveCount(hasViewer ? 1 : 0);
  const answer = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toBe('application/pdf');
  // A viewer works in no sandbox.
  expect(answer.headers()['content-security-policy']).toBeUndefined();
}

/** Drops what lies at these paths on the files, as a mouse does. */
async function drop(page: Page, paths: string[]): Promise<void> {
  const target = files(page).getByRole('button', { name: 'New folder' });
  await target.hover();
  const box = await target.boundingBox();
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const place = { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
  const mouse = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await mouse.send('Input.dispatchDragEvent', { type, ...place, data });
  }
  await expect(files(page).getByText('Drop files or folders here', { exact: true })).toBeVisible();
  await mouse.send('Input.dispatchDragEvent', { type: 'drop', ...place, data });
}

type Chosen = Parameters<Page['setInputFiles']>[1];

async function choose(page: Page, chosen: Chosen): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await files(page).getByRole('button', { name: 'Add files' }).click();
  await (await chooser).setFiles(chosen);
}

/** A file of so many bytes, none of which is written. */
async function truncateAt(path: string, bytes: number): Promise<void> {
  await writeFile(path, '');
  await truncate(path, bytes);
}

const text = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

async function fromMenu(page: Page, name: string, item: string): Promise<void> {
  await files(page)
    .getByRole('button', { name: `Actions for ${name}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('files are added, shown, renamed, moved, shared and deleted', async ({ browser }) => {
  const page = await enter(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  const complaints = complaintsOf(page);
  await expect(files(page).getByRole('heading', { name: 'No files yet' })).toBeVisible();

  // Names that storage cannot keep, and one of them twice.
  const buffer = await readFile(PICTURE);
  await choose(page, [
    { name: 'Übersicht #1 [50%].png', mimeType: 'image/png', buffer },
    text('notes.txt', 'The first'),
    text('notes.txt', 'The second'),
    { name: 'film.webm', mimeType: 'video/webm', buffer: await sampleVideo() },
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: emptyPage() },
    { name: 'sound.wav', mimeType: 'audio/wav', buffer: silence(0.5) },
  ]);
  await expect(opener(page, 'notes (2).txt')).toBeVisible();
  await expect(opener(page, 'Übersicht #1 [50%].png')).toBeVisible();
  await expect(files(page).getByText('6 files are uploaded.')).toBeAttached();
  await row(page, 'Übersicht').scrollIntoViewIfNeeded();
  await expect(row(page, 'Übersicht').locator('img')).toHaveJSProperty('naturalWidth', 80);
  await files(page).getByRole('button', { name: 'Clear list' }).click();

  // Shown one after the other, by keys. The policy lets them be played, and the browser can.
  await opener(page, 'film.webm').click();
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
  await expect(opener(page, 'Übersicht #1 [50%].png')).toBeFocused();
  expect(complaints).toEqual([]);

  await fromMenu(page, 'notes (2).txt', 'Rename');
  await dialog.getByLabel('New name').fill('notes.txt');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('There is something of that name.')).toBeVisible();
  await dialog.getByLabel('New name').fill('Köln/Bonn?.txt');
  await page.keyboard.press('Enter');
  await expect(opener(page, 'Köln/Bonn?.txt')).toBeVisible();

  // A folder: by menu, and by dragging.
  await files(page).getByRole('button', { name: 'New folder' }).click();
  await dialog.getByLabel('Name of the folder').fill('Reisen 2026');
  await page.keyboard.press('Enter');
  await expect(opener(page, 'Reisen 2026')).toBeVisible();
  await fromMenu(page, 'Köln/Bonn?.txt', 'Move to');
  await dialog.getByRole('button', { name: 'Reisen 2026' }).click();
  await dialog.getByRole('button', { name: 'Move here' }).click();
  await expect(opener(page, 'Köln/Bonn?.txt')).toHaveCount(0);
  await row(page, 'Übersicht').dragTo(row(page, 'Reisen 2026'));
  await expect(row(page, 'Übersicht')).toHaveCount(0);
  await opener(page, 'Reisen 2026').click();
  await expect(page).toHaveURL(/folder=Reisen/);
  await expect(opener(page, 'Köln/Bonn?.txt')).toBeVisible();
  await expect(row(page, 'Übersicht')).toBeVisible();

  // A link for others, who need no session.
  await fromMenu(page, 'Köln/Bonn?.txt', 'Copy a link');
  await dialog.getByLabel('The link works for').selectOption('1 week');
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect(toast(page, 'The link is copied')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const token = new URL(link).searchParams.get('token')?.split('.')[1] ?? '';
  const { exp, iat } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { exp: number; iat: number };
  expect(exp - iat).toBe(604_800);
  expect(await (await fetch(link)).text()).toBe('The second');

  // Deleted and brought back; the server has not heard of it.
  await fromMenu(page, 'Köln/Bonn?.txt', 'Delete');
  await expect(opener(page, 'Köln/Bonn?.txt')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(opener(page, 'Köln/Bonn?.txt')).toBeVisible();
  expect((await fetch(link)).status).toBe(200);

  // Deleted, and the page left at once. The next one is asked for before, and must not bring it back.
  await fromMenu(page, 'Köln/Bonn?.txt', 'Delete');
  await expect(toast(page, 'Köln/Bonn?.txt is deleted')).toBeVisible();
  await page.reload();
  await expect(files(page).getByRole('button', { name: 'New folder' })).toBeVisible();
  await expect(opener(page, 'Köln/Bonn?.txt')).toHaveCount(0);
  await expect.poll(async () => (await fetch(link)).status).toBe(400);

  // The folder goes with what is in it, once the toast does.
  await page.goto(baseUrl());
  await fromMenu(page, 'Reisen 2026', 'Delete');
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Close' }).click();
  expect((await removed).status()).toBe(200);
  await page.reload();
  await expect(opener(page, 'notes.txt')).toBeVisible();
  await expect(opener(page, 'Reisen 2026')).toHaveCount(0);
  await expect(files(page).getByRole('button', { name: 'New folder' })).toBeVisible();
  await expectNoViolations(page, 'files', [390, 1280]);
  await page.context().close();
});

test('folders are dropped, renamed and moved with what is in them', async ({ browser }) => {
  const page = await enter(browser);
  const place = await mkdtemp(join(tmpdir(), 'greenroom-files-'));
  const dropped = join(place, 'Fotos');
  await mkdir(join(dropped, 'Sub', 'Empty'), { recursive: true });
  const name = `${'long name '.repeat(12)}.txt`;
  await writeFile(join(dropped, 'Sub', name), 'In a folder of a folder');
  await writeFile(join(dropped, 'a.txt'), '');
  await writeFile(join(dropped, 'module.wasm'), 'no');
  await truncateAt(join(place, 'huge.bin'), 50_000_001);
  await drop(page, [dropped, join(place, 'huge.bin')]);
  await expect(files(page).getByText('2 files were not uploaded.')).toBeAttached();
  await expect(files(page).getByText('This file is too large.')).toBeVisible();
  await expect(files(page).getByText('Files of this type are not taken.')).toBeVisible();
  await files(page).getByRole('button', { name: 'Clear list' }).click();

  await fromMenu(page, 'Fotos', 'Rename');
  await page.getByLabel('New name').fill('Bilder 2026');
  await page.keyboard.press('Enter');
  await expect(opener(page, 'Bilder 2026')).toBeVisible();
  await expect(opener(page, 'Fotos')).toHaveCount(0);

  // Into a folder that has one of that name already: both stay.
  await drop(page, [dropped]);
  await expect(opener(page, 'Fotos')).toBeVisible();
  await expect(files(page).getByText('2 files are uploaded. 1 file was not uploaded.')).toBeAttached();
  await fromMenu(page, 'Fotos', 'Move to');
  await page.getByRole('dialog').getByRole('button', { name: 'Bilder 2026' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sub' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click();
  await expect(toast(page, 'Fotos is moved')).toBeVisible();
  await expect(opener(page, 'Fotos')).toHaveCount(0);
  await opener(page, 'Bilder 2026').click();
  await expect(opener(page, 'a.txt')).toBeVisible();
  await fromMenu(page, 'Sub', 'Move to');
  await page.getByRole('dialog').getByRole('button', { name: 'Files', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click();
  await expect(toast(page, 'Sub is moved')).toBeVisible();
  await page.goto(`${baseUrl()}/?folder=Sub`);
  await expect(opener(page, 'Empty')).toBeVisible();
  await expect(opener(page, 'Fotos')).toBeVisible();
  await page.goto(`${baseUrl()}/?folder=Sub%2FFotos%2FSub`);
  await opener(page, name).click();
  await expect(page.getByText('In a folder of a folder')).toBeVisible();
  await page.keyboard.press('Escape');
  // A long name is cut, and nothing is pushed out of the window.
  await page.setViewportSize({ width: 390, height: 800 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.context().close();
});

test('nobody sees or changes the files of others', async ({ browser }) => {
  const [ada, bob] = [newPerson(), newPerson()];
  const page = await enter(browser, {}, ada);
  await choose(page, [text('secret.txt', 'A surprise')]);
  await expect(opener(page, 'secret.txt')).toBeVisible();
  const others = await enter(browser, {}, bob);
  await expect(files(others).getByRole('heading', { name: 'No files yet' })).toBeVisible();

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
  await Promise.all([page.context().close(), others.context().close()]);
});

test('large files go in parts: held, gone on with after a reload, or taken back', async ({ browser }) => {
  const page = await enter(browser);
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-files-'));
  const large = join(folder, 'large.bin');
  await writeFile(large, Buffer.alloc(14_000_000, 7));
  let begun = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/upload/resumable')) begun += 1;
  });
  // The second part does not get through, so that there is time to look.
  await page.route('**/upload/resumable/*', (route) =>
    isSecondPart(route.request()) ? undefined : route.continue(),
  );
  await choose(page, large);
  await expect(files(page).getByText(/^6\.3 MB of 14 MB/)).toBeVisible();
  await files(page).getByRole('button', { name: 'Pause large.bin' }).click();
  await expect(files(page).getByText('Paused')).toBeVisible();

  // The browser asks before it leaves.
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.accept();
  await reloaded;
  await expect(page.getByRole('list', { name: 'Not finished' })).toContainText('large.bin');
  await page.unroute('**/upload/resumable/*');
  await choose(page, large);
  await expect(opener(page, 'large.bin')).toBeVisible({ timeout: 30_000 });
  await expect(row(page, 'large.bin')).toContainText('14 MB');
  expect(begun).toBe(1);
  await expect(page.getByRole('list', { name: 'Not finished' })).toHaveCount(0);

  // Another one is taken back: its parts go, too.
  await page.route('**/upload/resumable/*', (route) =>
    isSecondPart(route.request()) ? undefined : route.continue(),
  );
  await choose(page, large);
  await expect(files(page).getByRole('button', { name: 'Cancel large (2).bin' })).toBeVisible();
  await expect(files(page).getByText(/^6\.3 MB of 14 MB/)).toBeVisible();
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await files(page).getByRole('button', { name: 'Cancel large (2).bin' }).click();
  expect((await ended).status()).toBe(204);
  await expect(files(page).getByText('large (2).bin')).toHaveCount(0);

  // What cannot be taken is told.
  const tooLarge = join(folder, 'huge.bin');
  await truncateAt(tooLarge, 50_000_001);
  await choose(page, tooLarge);
  await expect(files(page).getByText('This file is too large.')).toBeVisible();
  await choose(page, { name: 'setup.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') });
  await expect(files(page).getByText('Files of this type are not taken.')).toBeVisible();

  // Who signs out meanwhile is asked. What this browser remembers stays until they are gone.
  await choose(page, large);
  await expect(files(page).getByText(/^6\.3 MB of 14 MB/)).toBeVisible();
  const remembered = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus::')).length);
  const leaveAnyway = async () => {
    await chooseFromMenu(page, 'Sign out of this device');
    await page.getByRole('button', { name: 'Sign out and stop' }).click();
  };
  await page.route('**/sign-out*', (route) => route.abort());
  await leaveAnyway();
  await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
  expect(await remembered()).toBe(1);
  await page.unroute('**/sign-out*');
  page.once('dialog', (left) => left.accept());
  await page.goto(baseUrl());
  await expect(page.getByRole('list', { name: 'Not finished' })).toContainText('large (2).bin');
  await chooseFromMenu(page, 'Sign out of this device');
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(remembered).toBe(0);
  await page.context().close();
});

test('without a network, uploads wait and deleted files come back', async ({ browser }) => {
  const page = await enter(browser);
  const storage = '**/storage/v1/**';
  // A small file that is on its way is taken back.
  await page.route(storage, () => undefined);
  await choose(page, [text('never.txt', 'Never')]);
  await files(page).getByRole('button', { name: 'Cancel never.txt' }).click();
  await expect(files(page).getByText('never.txt')).toHaveCount(0);
  await page.unroute(storage);
  await page.route(storage, (route) => route.abort());
  await choose(page, [text('later.txt', 'Later')]);
  await expect(files(page).getByText(/^No connection\./)).toBeVisible();
  await page.unroute(storage);
  await files(page).getByRole('button', { name: 'Try later.txt again' }).click();
  await expect(opener(page, 'later.txt')).toBeVisible();

  await page.route(storage, (route) => route.abort());
  await fromMenu(page, 'later.txt', 'Delete');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(toast(page, 'later.txt could not be deleted')).toBeVisible();
  await expect(opener(page, 'later.txt')).toBeVisible();

  await fromMenu(page, 'later.txt', 'Rename');
  await page.getByLabel('New name').fill('soon.txt');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText('The server did not answer.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(files(page).getByText('The files could not be loaded')).toBeVisible();
  await page.unroute(storage);
  await files(page).getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(opener(page, 'later.txt')).toBeVisible();
  await page.context().close();
});

test('without scripts, files are added, fetched and deleted', async ({ browser }) => {
  const page = await enter(browser, { javaScriptEnabled: false });
  await files(page).getByLabel('New folder').fill('Pläne');
  await files(page).getByRole('button', { name: 'Make folder' }).click();
  await files(page).getByRole('link', { name: 'Pläne' }).click();
  await expect(files(page).getByRole('navigation', { name: 'Where you are' })).toContainText('Pläne');
  await files(page)
    .getByLabel('Add files')
    .setInputFiles([text('plän.txt', 'A plan')]);
  await files(page).getByRole('button', { name: 'Upload' }).click();
  const link = files(page).getByRole('link', { name: 'Download plän.txt' });
  const download = page.waitForEvent('download');
  await link.click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('A plan');
  // What a browser makes of a name depends on the machine's locale.
  const answer = await page.request.get(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
  expect(answer.headers()['content-disposition']).toContain("filename*=UTF-8''pl%C3%A4n.txt");
  await files(page)
    .getByLabel('Add files')
    .setInputFiles([{ name: 'setup.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') }]);
  await files(page).getByRole('button', { name: 'Upload' }).click();
  await expect(files(page).getByText('setup.exe: Files of this type are not taken.')).toBeVisible();
  await page.goto(`${baseUrl()}/?folder=Pl%3DC3%3DA4ne`);
  await files(page).getByRole('button', { name: 'Delete plän.txt' }).click();
  await expect(files(page).getByRole('heading', { name: 'Nothing in this folder' })).toBeVisible();
  expect((await page.goto(`${baseUrl()}/?folder=..%2Fx`))?.status()).toBe(404);

  // A form that is broken off is refused; who has no session is sent to the login, and not listened to.
  const broken = {
    headers: { origin: baseUrl(), 'content-type': 'multipart/form-data; boundary=x' },
    data: '--x\r\n',
    maxRedirects: 0,
  };
  expect((await page.request.post(`${baseUrl()}/?index&with-files`, broken)).status()).toBe(400);
  await page.context().clearCookies();
  expect((await page.request.post(`${baseUrl()}/?index&with-files`, broken)).status()).toBe(302);
  await page.context().close();
});
