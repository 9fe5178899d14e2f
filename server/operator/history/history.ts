/** Samples of the last hour, day and week: a pure state, whose older samples are combined to longer intervals. */
import { type FullSample, mergeSamples, type Sample, withoutLatencies } from './sample.ts';

/** A range of the history. */
export type Range = 'hour' | 'day' | 'week';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Length of each range and of its samples, in seconds. */
export const RANGES = {
  hour: { seconds: HOUR_SECONDS, interval: 10 },
  day: { seconds: DAY_SECONDS, interval: 60 },
  week: { seconds: 7 * DAY_SECONDS, interval: 600 },
} as const satisfies Record<Range, { seconds: number; interval: number }>;

/** The state. */
export interface HistoryState {
  samples: Readonly<Record<Range, readonly Sample[]>>;
  /** Samples of the current minute, and minutes of the current ten minutes. */
  open: { readonly day: readonly FullSample[]; readonly week: readonly FullSample[] };
}

/** The state without samples. */
export const EMPTY_HISTORY: HistoryState = {
  samples: { hour: [], day: [], week: [] },
  open: { day: [], week: [] },
};

/** Adds the sample of ten seconds, which is later than all others. */
export function addSample({ samples, open }: HistoryState, sample: FullSample): HistoryState {
  const { time } = sample;
  const minute = closeInterval(open.day, 'day', sample);
  const week = minute.closed ? closeInterval(open.week, 'week', minute.closed) : undefined;
  return {
    samples: {
      hour: recent('hour', time, [...samples.hour, withoutLatencies(sample)]),
      day: minute.closed
        ? recent('day', time, [...samples.day, withoutLatencies(minute.closed)])
        : samples.day,
      week: week?.closed
        ? recent('week', time, [...samples.week, withoutLatencies(week.closed)])
        : samples.week,
    },
    open: { day: minute.open, week: week?.open ?? open.week },
  };
}

/** Returns the samples of a range at a time in seconds, oldest first; the last one may be incomplete. */
export function samplesOf({ samples, open }: HistoryState, range: Range, now: number): readonly Sample[] {
  if (range === 'hour') return recent('hour', now, samples.hour);
  const parts = range === 'day' ? open.day : [...open.week, ...open.day];
  const [first] = parts;
  const last = first ? [withoutLatencies(mergeSamples(startOf(range, first.time), parts))] : [];
  return recent(range, now, [...samples[range], ...last]);
}

/** Adds a part to the open interval. If the part belongs to a later one, the open interval is closed before. */
function closeInterval(
  open: readonly FullSample[],
  range: Range,
  part: FullSample,
): { open: readonly FullSample[]; closed?: FullSample } {
  const [first] = open;
  if (first === undefined) return { open: [part] };
  const start = startOf(range, first.time);
  if (startOf(range, part.time) === start) return { open: [...open, part] };
  return { open: [part], closed: mergeSamples(start, open) };
}

function startOf(range: Range, time: number): number {
  const { interval } = RANGES[range];
  return Math.floor(time / interval) * interval;
}

/** Removes samples that are older than the range. */
function recent(range: Range, now: number, samples: readonly Sample[]): readonly Sample[] {
  const start = now - RANGES[range].seconds;
  const first = samples.findIndex(({ time }) => time > start);
  return first === -1 ? [] : samples.slice(first);
}
