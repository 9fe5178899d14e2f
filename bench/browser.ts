/**
 * Measures page loads in the way of Lighthouse: with an empty cache, on a phone's screen, at a quarter of this
 * machine's speed and on a slow 4G network, read from Chromium's own traces. Each page is compared with the same page
 * without scripts, served by a bare Fastify route. The figures are meaningful only if nothing else runs on the machine.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chromium, type Network, openChromium, type Visit } from './browser/chromium.ts';
import { type PageLoad, readPageLoad, type Script } from './browser/trace.ts';
import { withoutScripts } from './browser/without-scripts.ts';
import type { Figure } from './measure/figure.ts';
import { gzipKilobytes } from './measure/gzip.ts';
import { type Running, startGreenroomProcess, startProcess, temporaryFolder } from './measure/process.ts';
import { signUp } from './measure/sign-up.ts';

const RUNS = 5;
const ATTEMPTS = 3;
const LARGEST_PAINT_MS = 1500;
const LAYOUT_SHIFT = 0.02;
const BLOCKING_MS = 100;
/** Limits of the scripts that a page loads initially, gzip. */
const SCRIPT_KB = { '/login': 125, '/': 160 } as const;

/** Lighthouse's kilobits have 1024 bits. */
const bytesOfKilobits = (kilobits: number) => (kilobits * 1024) / 8;

/** `mobileSlow4G` of Lighthouse's `core/config/constants.js`. */
const SLOW_4G: Network = {
  latency: 150,
  downloadThroughput: bytesOfKilobits(1.6 * 1024),
  uploadThroughput: bytesOfKilobits(750),
};
/** The same as DevTools applies it, as if each request had to open a connection first. */
const SLOW_4G_APPLIED: Network = {
  latency: SLOW_4G.latency * 3.75,
  downloadThroughput: SLOW_4G.downloadThroughput * 0.9,
  uploadThroughput: SLOW_4G.uploadThroughput * 0.9,
};

const REFERENCE = join(import.meta.dirname, 'reference', 'bare-fastify.ts');
const BROWSER_FILES = join(import.meta.dirname, '..', 'app', 'build', 'client');

/** The address of a page, and its visitor's cookie. */
interface Address {
  path: keyof typeof SCRIPT_KB;
  url: string;
  cookie?: string;
}

/** Loads of one page, one for each run. */
interface Loads {
  page: PageLoad[];
  applied: PageLoad[];
  reference: PageLoad[];
}

export async function benchBrowser(): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  const instance = await startGreenroomProcess(folder);
  const browser = await openChromium();
  try {
    const cookie = await signUp(instance.url);
    return [
      ...(await benchPage(browser, folder, { path: '/login', url: `${instance.url}/login` })),
      ...(await benchPage(browser, folder, { path: '/', url: `${instance.url}/`, cookie })),
    ];
  } finally {
    await browser.close();
    await instance.stop();
    await remove();
  }
}

async function benchPage(browser: Chromium, folder: string, address: Address): Promise<Figure[]> {
  const reference = await startReference(folder, address);
  const loads = await loadPages(browser, address, reference.url);
  await reference.stop();
  const scripts = loads.page[0]?.scripts ?? [];
  return [...paintFigures(address.path, loads), ...(await scriptFigures(address.path, scripts))];
}

async function startReference(folder: string, { url, cookie }: Address): Promise<Running> {
  const page = await (await fetch(url, { headers: cookie ? { cookie } : {} })).text();
  const file = join(folder, 'page.html');
  await writeFile(file, withoutScripts(page));
  return startProcess([REFERENCE, file, BROWSER_FILES]);
}

/** Alternates between the pages, so that other activity on the machine affects all of them equally. */
async function loadPages(browser: Chromium, { url, cookie }: Address, reference: string): Promise<Loads> {
  const person = cookie ? { cookie } : {};
  const loads: Loads = { page: [], applied: [], reference: [] };
  for (let run = 0; run < RUNS; run++) {
    loads.page.push(await loadPage(browser, { url, ...person, network: SLOW_4G }));
    loads.reference.push(await loadPage(browser, { url: reference, network: SLOW_4G }));
    loads.applied.push(await loadPage(browser, { url, ...person, network: SLOW_4G_APPLIED }));
  }
  return loads;
}

/**
 * On a busy machine a trace may begin too late for a new process, and lack its first events; then the load is repeated.
 */
async function loadPage(browser: Chromium, visit: Visit, attempts = ATTEMPTS): Promise<PageLoad> {
  const events = await browser.trace(visit);
  try {
    return readPageLoad(events);
  } catch (error) {
    if (attempts === 1) throw error;
    return loadPage(browser, visit, attempts - 1);
  }
}

function paintFigures(path: string, { page, applied, reference }: Loads): Figure[] {
  const [own, throttled, bare] = [medians(page), medians(applied), medians(reference)];
  return [
    { name: `${path} without scripts, LCP`, value: inMs(bare.largestPaintMs) },
    {
      name: `${path} LCP`,
      value: inMs(own.largestPaintMs),
      ratio: { of: 'that', share: own.largestPaintMs / bare.largestPaintMs },
      target: { text: `under ${LARGEST_PAINT_MS} ms`, met: own.largestPaintMs < LARGEST_PAINT_MS },
    },
    {
      name: `${path} CLS`,
      value: own.layoutShift.toFixed(3),
      target: { text: `under ${LAYOUT_SHIFT}`, met: own.layoutShift < LAYOUT_SHIFT },
    },
    {
      name: `${path} TBT`,
      value: inMs(own.blockingMs),
      target: { text: `under ${BLOCKING_MS} ms`, met: own.blockingMs < BLOCKING_MS },
    },
    {
      name: `${path} with a connection for each request`,
      value: `LCP ${inMs(throttled.largestPaintMs)}, CLS ${throttled.layoutShift.toFixed(3)}, TBT ${inMs(throttled.blockingMs)}`,
    },
  ];
}

async function scriptFigures(path: Address['path'], scripts: readonly Script[]): Promise<Figure[]> {
  const limit = SCRIPT_KB[path];
  const initial = await gzipKilobytes(scripts.filter(({ isInitial }) => isInitial).map(({ url }) => url));
  const all = await gzipKilobytes(scripts.map(({ url }) => url));
  return [
    {
      name: `${path} scripts at once, gzip`,
      value: `${initial.toFixed(1)} KB`,
      target: { text: `under ${limit} KB`, met: initial < limit },
    },
    { name: `${path} scripts until idle, gzip`, value: `${all.toFixed(1)} KB` },
  ];
}

type Vitals = Pick<PageLoad, 'largestPaintMs' | 'layoutShift' | 'blockingMs'>;

/** The median of each figure separately. */
function medians(loads: readonly PageLoad[]): Vitals {
  const of = (key: keyof Vitals) =>
    loads.map((load) => load[key]).sort((a, b) => a - b)[loads.length >> 1] ?? 0;
  return {
    largestPaintMs: of('largestPaintMs'),
    layoutShift: of('layoutShift'),
    blockingMs: of('blockingMs'),
  };
}

const inMs = (ms: number) => `${Math.round(ms)} ms`;
