import { createMetrics } from '@greenroom/http';
import { describe, expect, it } from 'vitest';
import { addSample, EMPTY_HISTORY, type HistoryState, RANGES, samplesOf } from './history.ts';
import { createSample, type FullSample } from './sample.ts';

const START = 1_800_000_000;
const { window } = createMetrics();

/** Returns the sample of ten seconds with one request of each latency. */
function sampleAt(time: number, latencies: readonly number[], status = 200): FullSample {
  for (const ms of latencies) window.record('rest', status, ms);
  const readings = { cpu: 0.5, memoryBytes: 100, databaseConnections: 4, sockets: null };
  return createSample(
    { time, events: 2, ...readings, databaseBytes: time - START, fileBytes: null },
    window.take(),
  );
}

/** Returns a history with a sample every ten seconds. */
function historyOf(seconds: number, latencies: readonly number[] = [1]): HistoryState {
  let history = EMPTY_HISTORY;
  for (let passed = 0; passed < seconds; passed += 10)
    history = addSample(history, sampleAt(START + passed, latencies));
  return history;
}

describe('the history', () => {
  it.each([
    ['hour', 360, 1],
    ['day', 1440, 6],
    ['week', 1008, 60],
  ] as const)(
    'keeps the last %s in %d samples of %d requests, and no older ones',
    (range, count, requests) => {
      const eightDays = 8 * 24 * 3600;
      const history = historyOf(eightDays);
      const samples = samplesOf(history, range, START + eightDays);
      expect(samples.length).toBeGreaterThanOrEqual(count - 1);
      expect(samples.length).toBeLessThanOrEqual(count);
      expect(new Set(samples.slice(0, -1).map((sample) => sample.requests))).toEqual(new Set([requests]));
      expect(history.samples[range].length).toBeLessThanOrEqual(count);
      const times = samples.map(({ time }) => time);
      const first = times[0] ?? 0;
      expect(times).toEqual(times.map((_, index) => first + index * RANGES[range].interval));
    },
  );

  it('combines samples: adds counts, averages readings, and takes percentiles of all requests', () => {
    let history = addSample(EMPTY_HISTORY, sampleAt(START, [1, 1, 1], 500));
    history = addSample(history, sampleAt(START + 10, [1000]));
    expect(samplesOf(history, 'day', START + 20)).toEqual([
      {
        time: START,
        requests: 4,
        clientErrors: 0,
        serverErrors: 3,
        services: { rest: [4, 3] },
        p50: 1.13,
        p95: 1160,
        p99: 1160,
        events: 4,
        cpu: 0.5,
        memoryBytes: 100,
        databaseConnections: 4,
        databaseBytes: 5,
        fileBytes: null,
        sockets: null,
      },
    ]);
  });

  it('shows the current minute in the day and the week before it is complete', () => {
    const history = historyOf(70);
    const requests = (range: 'day' | 'week') =>
      samplesOf(history, range, START + 70).map((sample) => sample.requests);
    expect([requests('day'), requests('week')]).toEqual([[6, 1], [7]]);
  });

  it('has a gap for the time in which the instance did not run', () => {
    const history = addSample(historyOf(60), sampleAt(START + 600, [1]));
    expect(samplesOf(history, 'day', START + 600).map(({ time }) => time - START)).toEqual([0, 600]);
  });

  it('returns no samples that are older than the range, even without new ones', () => {
    const history = historyOf(60);
    expect(samplesOf(history, 'hour', START + 3600).map(({ time }) => time - START)).toEqual([
      10, 20, 30, 40, 50,
    ]);
    expect(samplesOf(history, 'hour', START + 4000)).toEqual([]);
  });
});
