import { describe, expect, it } from 'vitest';
import { readPageLoad, type TraceEvent } from './trace.ts';

const START = 7_000_000;
const PAGE = { pid: 12, tid: 3, frame: 'page' };
const OTHER = { pid: 90, tid: 1, frame: 'other' };

type Data = NonNullable<TraceEvent['args']['data']>;
type FrameOrigin = typeof PAGE;

/** An event `ms` after the navigation. */
const at = (
  ms: number,
  name: string,
  data: Data = {},
  { pid, tid, frame }: FrameOrigin = PAGE,
): TraceEvent => ({
  name,
  pid,
  tid,
  ts: START + ms * 1000,
  args: { frame, data },
});
const navigation = (ms: number, url: string, origin = PAGE) =>
  at(ms, 'navigationStart', { documentLoaderURL: url, isOutermostMainFrame: true }, origin);
const task = (ms: number, length: number, origin = PAGE): TraceEvent => ({
  ...at(ms, 'RunTask', {}, origin),
  dur: length * 1000,
  args: {},
});
const shift = (ms: number, score: number, more: Data = {}) =>
  at(ms, 'LayoutShift', {
    is_main_frame: true,
    had_recent_input: false,
    weighted_score_delta: score,
    ...more,
  });
const sent = (ms: number, requestId: string, url: string) =>
  at(ms, 'ResourceSendRequest', { requestId, url });
const responseEvent = (ms: number, requestId: string, mimeType: string) =>
  at(ms, 'ResourceReceiveResponse', { requestId, mimeType });

const LARGEST = 'largestContentfulPaint::Candidate';
const MIN_EVENTS = [
  navigation(0, 'http://site.example/'),
  at(500, 'firstContentfulPaint'),
  at(500, LARGEST),
  at(900, 'MarkLoad'),
];
const readWith = (...events: TraceEvent[]) => readPageLoad([...MIN_EVENTS, ...events]);

describe('paints', () => {
  it.each<[name: string, events: TraceEvent[], first: number, largest: number]>([
    ['a single paint', [], 500, 500],
    ['a larger paint later', [at(730, LARGEST)], 500, 730],
    [
      'a paint of the page and one of another frame',
      [at(730, LARGEST, {}, { ...PAGE, frame: 'advert' })],
      500,
      500,
    ],
    [
      'a paint of the page and one of another process',
      [at(730, LARGEST, {}, { ...OTHER, frame: 'page' })],
      500,
      500,
    ],
    ['paints that are out of order in the trace', [at(730, LARGEST), at(610, LARGEST)], 500, 730],
    ['a page with an empty frame that navigates', [navigation(100, '')], 500, 500],
    ['a page and an internal page of the browser', [navigation(100, 'chrome://popup', OTHER)], 500, 500],
  ])('are read from %s', (_name, events, first, largest) => {
    expect(readWith(...events)).toMatchObject({ firstPaintMs: first, largestPaintMs: largest });
  });

  it('are those of the last navigation', () => {
    const next = [navigation(2000, 'http://site.example/next'), at(2300, 'firstContentfulPaint')];
    const load = readWith(...next, at(2400, LARGEST), at(2500, 'MarkLoad'));
    expect(load).toMatchObject({ firstPaintMs: 300, largestPaintMs: 400 });
  });
});

describe('blocking time', () => {
  it.each<[name: string, tasks: TraceEvent[], expected: number]>([
    ['nothing without tasks', [], 0],
    ['nothing of tasks of up to 50 ms', [task(600, 50), task(700, 49)], 0],
    ['the time above 50 ms of each task', [task(600, 80), task(700, 51)], 31],
    ['nothing before the first paint', [task(100, 300)], 0],
    ['the part of a task after the first paint', [task(400, 190)], 40],
    ['nothing of a task whose part after the first paint is short', [task(400, 140)], 0],
    ['tasks after the load event', [task(3000, 75)], 25],
    ['nothing of other threads', [task(600, 80, { ...PAGE, tid: 4 })], 0],
    ['nothing of other processes', [task(600, 80, { ...PAGE, pid: 90 })], 0],
  ])('contains %s', (_name, tasks, expected) => {
    expect(readWith(...tasks).blockingMs).toBe(expected);
  });
});

describe('layout shift', () => {
  it.each<[name: string, shifts: TraceEvent[], expected: number]>([
    ['zero without shifts', [], 0],
    ['the sum of the shifts of a window', [shift(600, 0.25), shift(1500, 0.5)], 0.75],
    ['that of a new window after a second', [shift(600, 0.25), shift(1600, 0.5)], 0.5],
    ['that of the worst window, not of the last one', [shift(600, 0.5), shift(1600, 0.25)], 0.5],
    [
      'that of windows of at most five seconds',
      [600, 1500, 2400, 3300, 4200, 5100, 6000].map((ms) => shift(ms, 0.125)),
      0.75,
    ],
    ['independent of the order of events', [shift(1600, 0.25), shift(1000, 0.25), shift(600, 0.25)], 0.75],
    ['without shifts after user input', [shift(600, 0.25, { had_recent_input: true })], 0],
    ['without shifts inside other frames', [shift(600, 0.25, { is_main_frame: false })], 0],
  ])('is %s', (_name, shifts, expected) => {
    expect(readWith(...shifts).layoutShift).toBe(expected);
  });
});

describe('scripts', () => {
  it('are requests with a script as response, each once, before or after the load event', () => {
    const { scripts } = readWith(
      sent(10, '1', '/a.js'),
      sent(10, '2', '/style.css'),
      sent(20, '3', '/never-answered.js'),
      responseEvent(90, '1', 'text/javascript'),
      responseEvent(90, '2', 'text/css'),
      sent(890, '4', '/b.js'),
      responseEvent(950, '4', 'application/javascript'),
      sent(901, '5', '/c.js'),
      responseEvent(990, '5', 'application/javascript'),
      sent(980, '6', '/a.js'),
      responseEvent(981, '6', 'text/javascript'),
    );
    expect(scripts).toEqual([
      { url: '/a.js', isInitial: true },
      { url: '/b.js', isInitial: true },
      { url: '/c.js', isInitial: false },
    ]);
  });
});

describe('a trace', () => {
  it.each([
    ['navigationStart', 'a navigation'],
    ['firstContentfulPaint', 'firstContentfulPaint'],
    [LARGEST, LARGEST],
    ['MarkLoad', 'MarkLoad'],
  ])('is rejected without %s', (missing, message) => {
    expect(() => readPageLoad(MIN_EVENTS.filter(({ name }) => name !== missing))).toThrow(
      `has no ${message}`,
    );
  });
});
