/**
 * Derives the Web Vitals of a page load (web.dev), and the scripts that it loaded, from the events of Chromium's trace.
 * Pure functions; `chromium.ts` records the trace.
 */

/** The used part of an event. Times are in microseconds of the machine's clock. */
export interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  args: { frame?: string; data?: TraceEventData };
}

/** The data of events; each event has a part of it. */
interface TraceEventData {
  frame?: string;
  documentLoaderURL?: string;
  isOutermostMainFrame?: boolean;
  is_main_frame?: boolean;
  had_recent_input?: boolean;
  weighted_score_delta?: number;
  requestId?: string;
  url?: string;
  mimeType?: string;
}

/** The figures of a page load; times in ms since the navigation began. */
export interface PageLoad {
  firstPaintMs: number;
  /** Largest Contentful Paint: the last candidate before the page was quiet. */
  largestPaintMs: number;
  /** Cumulative Layout Shift: the worst of its windows. */
  layoutShift: number;
  /** Total Blocking Time, from the first paint until the page was quiet. */
  blockingMs: number;
  scripts: Script[];
}

/** A requested script; several requests for it count once. */
export interface Script {
  url: string;
  /** Whether it was requested before the load event. */
  isInitial: boolean;
}

const MICROSECONDS = 1000;
/** Maximum duration of a task that does not count as blocking (https://web.dev/articles/tbt). */
const LONG_TASK_US = 50 * MICROSECONDS;
/**
 * A window of shifts ends after a second without a shift, and after five seconds in total
 * (https://web.dev/articles/cls).
 */
const SHIFT_GAP_US = 1000 * MICROSECONDS;
const SHIFT_WINDOW_US = 5000 * MICROSECONDS;

/** Reads the last page load of a trace. Throws if the page painted nothing or did not load. */
export function readPageLoad(events: readonly TraceEvent[]): PageLoad {
  const start = requireEvent(findNavigation(events), 'a navigation');
  const { frame } = start.args;
  const own = events.filter(({ pid, ts }) => pid === start.pid && ts >= start.ts).toSorted(byTime);
  const inFrame = own.filter(({ args }) => (args.frame ?? args.data?.frame) === frame);
  const lastOf = (name: string) => requireEvent(inFrame.findLast(isNamed(name)), name);
  const firstPaint = lastOf('firstContentfulPaint').ts;
  const toMs = (ts: number) => (ts - start.ts) / MICROSECONDS;
  return {
    firstPaintMs: toMs(firstPaint),
    largestPaintMs: toMs(lastOf('largestContentfulPaint::Candidate').ts),
    layoutShift: worstShift(inFrame),
    blockingMs: blockingTime(tasksOf(own, start.tid), firstPaint) / MICROSECONDS,
    scripts: findScripts(own, lastOf('MarkLoad').ts),
  };
}

const byTime = (a: TraceEvent, b: TraceEvent) => a.ts - b.ts;
const isNamed = (name: string) => (event: TraceEvent) => event.name === name;

/** Chromium's own pages and empty frames navigate as well. */
function findNavigation(events: readonly TraceEvent[]): TraceEvent | undefined {
  return events.findLast(
    ({ name, args }) =>
      name === 'navigationStart' &&
      args.data?.isOutermostMainFrame === true &&
      /^https?:/.test(args.data.documentLoaderURL ?? ''),
  );
}

function requireEvent(event: TraceEvent | undefined, name: string): TraceEvent {
  if (!event) throw new Error(`The trace has no ${name}.`);
  return event;
}

const tasksOf = (events: readonly TraceEvent[], mainThread: number) =>
  events.filter(({ name, tid }) => name === 'RunTask' && tid === mainThread);

/** In microseconds. Of a task that began before `from`, only the time after `from` counts. */
function blockingTime(tasks: readonly TraceEvent[], from: number): number {
  const lengths = tasks.map(({ ts, dur = 0 }) => ts + dur - Math.max(ts, from));
  return lengths.reduce((sum, length) => sum + Math.max(0, length - LONG_TASK_US), 0);
}

/** Returns the largest sum of a window. `events` must be in chronological order. */
function worstShift(events: readonly TraceEvent[]): number {
  let worst = 0;
  let window = { start: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY, sum: 0 };
  for (const { ts, args } of events.filter(isUnexpectedShift)) {
    const continues = ts - window.last < SHIFT_GAP_US && ts - window.start < SHIFT_WINDOW_US;
    const before = continues ? window : { start: ts, sum: 0 };
    window = { start: before.start, last: ts, sum: before.sum + (args.data?.weighted_score_delta ?? 0) };
    worst = Math.max(worst, window.sum);
  }
  return worst;
}

/** Shifts in response to user input are expected. */
function isUnexpectedShift({ name, args }: TraceEvent): boolean {
  return name === 'LayoutShift' && args.data?.is_main_frame === true && !args.data.had_recent_input;
}

/** A request is for a script if its response is one. */
function findScripts(events: readonly TraceEvent[], loaded: number): Script[] {
  const scriptRequestIds = new Set(
    events
      .filter(
        ({ name, args }) =>
          name === 'ResourceReceiveResponse' && /javascript/.test(args.data?.mimeType ?? ''),
      )
      .map(({ args }) => args.data?.requestId),
  );
  const scripts = new Map<string, Script>();
  for (const { ts, args } of events.filter(isNamed('ResourceSendRequest'))) {
    const { url, requestId } = args.data ?? {};
    if (!url || scripts.has(url) || !scriptRequestIds.has(requestId)) continue;
    scripts.set(url, { url, isInitial: ts < loaded });
  }
  return [...scripts.values()];
}
