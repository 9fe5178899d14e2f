/** Measures the pages of the admin area: first answers, statements, scripts and scrolling. */
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Response } from '@playwright/test';
import { paletteButton } from '../support/axe.ts';
import { withDatabase } from '../support/database.ts';
import type { ProjectSite } from '../support/project-site.ts';
import { LISTS, PAGES, SCROLLED } from './pages.ts';
import { expect } from './patient-expect.ts';
import type { Report } from './report.ts';

/** Limits of the measurements. */
const MAX_ANSWER_MS = 300;
const MAX_STATEMENT_MS = 100;
const MIN_FRAMES_PER_SECOND = 50;
const REPETITIONS = 5;
const SCROLL_MS = 3000;

/** Takes all measurements as the administrator of the context. */
export async function measure(context: BrowserContext, site: ProjectSite, report: Report): Promise<void> {
  await measureAnswers(context, site, report);
  await measureScripts(context, site, report);
  await measureScrolling(context, site, report);
}

/** Requests the data of each list, and then reads the times of its statements from PostgreSQL. */
async function measureAnswers(context: BrowserContext, site: ProjectSite, report: Report): Promise<void> {
  for (const { name, path, isData } of LISTS) {
    const [page = '', query = ''] = path.split('?');
    const url = site.url + (isData ? path : `${page}/_payload.json?${query}`);
    await context.request.get(url);
    await statements(site, 'select extensions.pg_stat_statements_reset()');
    const times: number[] = [];
    for (let count = 0; count < REPETITIONS; count++) {
      const startedAt = performance.now();
      const response = await context.request.get(url);
      await response.body();
      times.push(performance.now() - startedAt);
      if (response.status() !== 200) report.fail(`${name}: status ${response.status()}`);
    }
    const [slowest] = await statements(
      site,
      `select round(mean_exec_time)::int as ms, left(query, 80) as query from extensions.pg_stat_statements
        where query not like '%pg_stat_statements%' order by mean_exec_time desc limit 1`,
    );
    report.measure({ name: `${name}: answer`, value: medianOf(times), unit: 'ms', limit: MAX_ANSWER_MS });
    report.measure({
      name: `${name}: slowest statement`,
      value: Number(slowest?.ms ?? 0),
      unit: 'ms',
      limit: MAX_STATEMENT_MS,
      detail: String(slowest?.query ?? ''),
    });
  }
}

function statements(site: ProjectSite, text: string): Promise<Record<string, unknown>[]> {
  return withDatabase(site.folder, (database) => database.query({ text }));
}

/** Adds up the scripts of each page that the mailbox does not load, compressed. */
async function measureScripts(context: BrowserContext, site: ProjectSite, report: Report): Promise<void> {
  const shared = await scriptsOf(context, `${site.url}/admin/mailbox`);
  for (const { name, path, maxKilobytes } of PAGES) {
    const own = [...(await scriptsOf(context, site.url + path))].filter(([url]) => !shared.has(url));
    const bytes = own.reduce((sum, [, size]) => sum + size, 0);
    report.measure({
      name: `${name}: own scripts`,
      value: Math.round(bytes / 1000),
      unit: 'KB',
      limit: maxKilobytes,
    });
  }
}

/** Pages load parts of their scripts only when the others run. */
async function scriptsOf(context: BrowserContext, url: string): Promise<Map<string, number>> {
  const page = await context.newPage();
  const scripts: Promise<[string, number]>[] = [];
  const collect = (response: Response) => {
    if (response.request().resourceType() !== 'script') return;
    scripts.push(response.body().then((body) => [response.url(), gzipSync(body).length]));
  };
  page.on('response', collect);
  await page.goto(url);
  await expect(paletteButton(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  page.off('response', collect);
  const sizes = new Map(await Promise.all(scripts));
  await page.close();
  return sizes;
}

/** Scrolls each list, and counts the frames of the page. */
async function measureScrolling(context: BrowserContext, site: ProjectSite, report: Report): Promise<void> {
  for (const { name, path, selector } of SCROLLED) {
    const page = await context.newPage();
    await page.goto(site.url + path);
    await page.locator(selector).first().waitFor();
    await page.waitForLoadState('networkidle');
    const frames = await page.locator(selector).first().evaluate(countFrames, SCROLL_MS);
    report.measure({
      name: `${name}: frames per second while it scrolls`,
      value: -Math.round(frames),
      unit: '/s',
      limit: -MIN_FRAMES_PER_SECOND,
    });
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

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}
