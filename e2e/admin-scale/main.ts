/**
 * `node e2e/admin-scale/main.ts --users 1000000 --rows 10000000`: measures the admin area of an instance with so many users and
 * rows. Prints each measurement, and fails if one exceeds its limit: the first answer of each list, the statements of PostgreSQL,
 * frames while lists scroll, and the scripts of each page.
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { readInstanceRecord } from '@greenroom/data-folder';
import { openDatabase } from '@greenroom/postgres';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { newDataFolder, removeDataFolder, startInstance } from '../support/instance.ts';
import { fill } from './fill.ts';
import { LISTS, PAGES, SCROLLED } from './pages.ts';

/** Limits of the measurements. */
const MAX_ANSWER_MS = 300;
const MAX_STATEMENT_MS = 100;
const MIN_FRAMES_PER_SECOND = 50;
const REPETITIONS = 5;
const SCROLL_MS = 3000;
const PERSON = { email: 'ada@example.org', password: 'correct horse battery' };

const { values } = parseArgs({
  options: { users: { type: 'string', default: '1000000' }, rows: { type: 'string', default: '10000000' } },
});
const failures: string[] = [];
let measurements = 0;

const folder = await newDataFolder();
const instance = await startInstance(folder, {
  GREENROOM_ADMIN_SCHEMA_CHANGES: 'auto',
  GREENROOM_META_MAX_RUNNING: '8',
});
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  await becomeAdmin(await context.newPage());
  await withSuperuser((url) => fill(url, { users: Number(values.users), rows: Number(values.rows) }));
  print('filled', `${values.users} users and ${values.rows} rows`);
  await measureAnswers(context);
  await measureScripts(context);
  await measureScrolling(context);
  await context.close();
} finally {
  await browser.close();
  await instance.stop();
  await removeDataFolder(folder);
}
process.stdout.write(
  `${measurements} measurements with ${values.users} users and ${values.rows} rows, ${failures.length} above their limits\n`,
);
for (const failure of failures) process.stdout.write(`  ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function becomeAdmin(page: Page): Promise<void> {
  await page.goto(`${instance.url}/login?mode=sign-up`);
  await page.getByLabel('Email').fill(PERSON.email);
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(`${instance.url}/`);
  const { pathname, search } = new URL(instance.firstAdminUrl ?? '');
  await page.goto(instance.url + pathname + search);
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.close();
}

async function withSuperuser<T>(use: (url: string) => Promise<T>): Promise<T> {
  const record = await readInstanceRecord(folder);
  return use(record?.credentials?.adminDatabaseUrl ?? '');
}

/** Requests the data of each list, and then reads the times of its statements from PostgreSQL. */
async function measureAnswers(context: BrowserContext): Promise<void> {
  for (const { name, path, isData } of LISTS) {
    const [page = '', query = ''] = path.split('?');
    const url = instance.url + (isData ? path : `${page}/_payload.json?${query}`);
    await context.request.get(url);
    await statements('select extensions.pg_stat_statements_reset()');
    const times: number[] = [];
    for (let count = 0; count < REPETITIONS; count++) {
      const startedAt = performance.now();
      const response = await context.request.get(url);
      await response.body();
      times.push(performance.now() - startedAt);
      if (response.status() !== 200) failures.push(`${name}: status ${response.status()}`);
    }
    const [slowest] = await statements(
      `select round(mean_exec_time)::int as ms, left(query, 80) as query from extensions.pg_stat_statements
        where query not like '%pg_stat_statements%' order by mean_exec_time desc limit 1`,
    );
    check(`${name}: answer`, medianOf(times), 'ms', MAX_ANSWER_MS);
    check(
      `${name}: slowest statement`,
      Number(slowest?.ms ?? 0),
      'ms',
      MAX_STATEMENT_MS,
      String(slowest?.query ?? ''),
    );
  }
}

function statements(text: string): Promise<Record<string, unknown>[]> {
  return withSuperuser(async (url) => {
    const database = openDatabase({ url, max: 1, applicationName: 'scale' });
    return database.query({ text }).finally(() => database.close());
  });
}

/** Adds up the scripts of each page that the page of users does not load, compressed. */
async function measureScripts(context: BrowserContext): Promise<void> {
  const shared = await scriptsOf(context, '/admin/mailbox');
  for (const { name, path, maxKilobytes } of PAGES) {
    const own = [...(await scriptsOf(context, path))].filter(([url]) => !shared.has(url));
    const bytes = own.reduce((sum, [, size]) => sum + size, 0);
    check(`${name}: own scripts`, Math.round(bytes / 1000), 'KB', maxKilobytes);
  }
}

async function scriptsOf(context: BrowserContext, path: string): Promise<Map<string, number>> {
  const page = await context.newPage();
  const scripts: Promise<[string, number]>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    scripts.push(response.body().then((body) => [response.url(), gzipSync(body).length]));
  });
  await page.goto(instance.url + path);
  await page.waitForLoadState('networkidle');
  const sizes = new Map(await Promise.all(scripts));
  await page.close();
  return sizes;
}

/** Scrolls each list, and counts the frames of the page. */
async function measureScrolling(context: BrowserContext): Promise<void> {
  for (const { name, path, selector } of SCROLLED) {
    const page = await context.newPage();
    await page.goto(instance.url + path);
    await page.locator(selector).first().waitFor();
    await page.waitForLoadState('networkidle');
    const frames = await page.locator(selector).first().evaluate(countFrames, SCROLL_MS);
    check(`${name}: frames per second while it scrolls`, -Math.round(frames), '/s', -MIN_FRAMES_PER_SECOND);
    await page.close();
  }
}

/** Runs in the page. Scrolls the element, or the nearest one around it that scrolls. */
async function countFrames(element: Element, milliseconds: number): Promise<number> {
  let scrolled: Element | null = element;
  while (scrolled !== null && scrolled.scrollHeight <= scrolled.clientHeight + 10)
    scrolled = scrolled.parentElement;
  const target = scrolled ?? document.documentElement;
  const startedAt = performance.now();
  let frames = 0;
  while (performance.now() - startedAt < milliseconds) {
    await new Promise(requestAnimationFrame);
    target.scrollBy(0, 60);
    frames += 1;
  }
  return (frames * 1000) / (performance.now() - startedAt);
}

/** Records a measurement. Negative values are minimums. */
function check(name: string, value: number, unit: string, limit: number, detail = ''): void {
  measurements += 1;
  const isMissed = value > limit;
  const text = `${Math.abs(Math.round(value))} ${unit}${isMissed ? ` (limit ${Math.abs(limit)})` : ''}`;
  print(name, text);
  if (isMissed) failures.push(`${name}: ${text} ${detail}`.trim());
}

function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(56)} ${value}\n`);
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}
