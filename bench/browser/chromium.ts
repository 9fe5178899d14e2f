/**
 * Chromium as a slow phone: visits a page with an empty cache on a slow network and processor, and traces the visit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import type { TraceEvent } from './trace.ts';

/** Conditions of a connection: times in ms, rates in bytes per second. */
export interface Network {
  /** Delay of each request, from sending it to the first byte of the response. */
  latency: number;
  downloadThroughput: number;
  uploadThroughput: number;
}

/** A visit with an empty cache. */
export interface Visit {
  url: string;
  /** In the format of a `Cookie` header; without it, the visitor is anonymous. */
  cookie?: string;
  network: Network;
}

/** A running browser. */
export interface Chromium {
  /** Visits a page in a separate context until it is quiet. */
  trace(visit: Visit): Promise<TraceEvent[]>;
  close(): Promise<void>;
}

/** Chromium's own services are not needed here, and would share the connection with the page. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const DEFAULT_PATH = '/usr/bin/chromium';

/** The phone that Lighthouse emulates. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
} as const;
const CPU_SLOWDOWN = 4;

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'loading',
  'blink.user_timing',
];

/** Time for a new window to finish its own start-up work. */
const SETTLE_MS = 1000;
/** A page is quiet if it has sent no request for this time, which is long after idle work has begun. */
const QUIET_MS = 2000;
const LIMIT_MS = 60_000;

/** Starts the browser at `CHROMIUM_PATH`, or the system's. */
export async function openChromium(): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? DEFAULT_PATH,
    args: FLAGS,
  });
  return { trace: (visit) => traceVisit(browser, visit), close: () => browser.close() };
}

async function traceVisit(browser: Browser, visit: Visit): Promise<TraceEvent[]> {
  const context = await browser.newContext(PHONE);
  try {
    if (visit.cookie) await addCookies(context, visit.cookie, visit.url);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await slowDown(session, visit.network);
    await sleep(SETTLE_MS);
    const readTrace = await startTrace(session);
    await visitUntilQuiet(page, visit.url);
    return await readTrace();
  } finally {
    await context.close();
  }
}

function addCookies(context: BrowserContext, cookie: string, url: string): Promise<void> {
  const pairs = cookie.split('; ').map((pair) => pair.split(/=(.*)/s, 2));
  return context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url })));
}

async function slowDown(session: CDPSession, network: Network): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...network });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/** Starts a trace. Returns a function that ends the trace and returns its events. */
async function startTrace(session: CDPSession): Promise<() => Promise<TraceEvent[]>> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) events.push(event);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
  });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    return events;
  };
}

/** Throws if the page does not respond with 200, or is never quiet. */
async function visitUntilQuiet(page: Page, url: string): Promise<void> {
  let open = 0;
  let changed = performance.now();
  const count = (step: number) => () => {
    open += step;
    changed = performance.now();
  };
  page.on('request', count(1)).on('requestfinished', count(-1)).on('requestfailed', count(-1));
  const limit = performance.now() + LIMIT_MS;
  const response = await page.goto(url, { waitUntil: 'load', timeout: LIMIT_MS });
  if (response?.status() !== 200) throw new Error(`${url} responded with status ${response?.status()}`);
  while (open > 0 || performance.now() - changed < QUIET_MS) {
    if (performance.now() > limit) throw new Error(`${url} still sends requests after ${LIMIT_MS} ms`);
    await sleep(QUIET_MS / 10);
  }
}
