import { describe, expect, it } from 'vitest';
import { chartsOf, currentValue, type Sample, tableRows } from './charts.ts';

function sampleAt(time: number, values: Partial<Sample> = {}): Sample {
  return {
    time,
    requests: 20,
    clientErrors: 0,
    serverErrors: 0,
    services: { rest: [20, 0] },
    p50: 1,
    p95: 5,
    p99: 9,
    events: null,
    cpu: 0.25,
    memoryBytes: 100,
    databaseConnections: 3,
    databaseBytes: 1000,
    fileBytes: 0,
    sockets: 2,
    ...values,
  };
}

const history = (samples: Sample[]) => ({ range: 'hour' as const, interval: 10, samples });
const chartOf = (samples: Sample[], id: string) => {
  const chart = chartsOf(history(samples)).find((each) => each.id === id);
  if (chart === undefined) throw new Error(`no chart ${id}`);
  return chart;
};

describe('a chart', () => {
  it('has numbers of requests per second, and other values unchanged', () => {
    const samples = [sampleAt(0), sampleAt(10, { requests: 50 })];
    expect(chartOf(samples, 'requests').series[0]?.values).toEqual([2, 5]);
    expect(chartOf(samples, 'memory').series[0]?.values).toEqual([100, 100]);
  });

  it('is interrupted where the instance did not run', () => {
    const { times, series } = chartOf([sampleAt(0), sampleAt(100)], 'cpu');
    expect([times, series[0]?.values]).toEqual([
      [0, 10, 100],
      [0.25, null, 0.25],
    ]);
  });

  it('of errors has a line for each service with errors, or one without any', () => {
    const samples = [sampleAt(0), sampleAt(10, { services: { rest: [1, 1], auth: [1, 0], app: [9, 5] } })];
    expect(chartOf(samples, 'errors').series).toEqual([
      { id: 'app', values: [0, 0.5] },
      { id: 'rest', values: [0, 0.1] },
    ]);
    expect(chartOf([sampleAt(0)], 'errors').series).toEqual([{ id: 'serverErrors', values: [0] }]);
  });

  it('has the last known value as its current one', () => {
    const { series } = chartOf([sampleAt(0, { p95: 7 }), sampleAt(10, { p95: null })], 'latency');
    expect(series.map(currentValue)).toEqual([1, 7, 9]);
    expect(currentValue({ id: 'events', values: [null] })).toBeNull();
  });

  it('has a table of at most 12 rows with averages', () => {
    const samples = Array.from({ length: 36 }, (_, index) => sampleAt(index * 10, { sockets: index }));
    const rows = tableRows(chartOf(samples, 'sockets'));
    expect(rows.length).toBe(12);
    expect(rows[1]).toEqual({ time: 30, values: [4] });
    expect(tableRows(chartOf([], 'sockets'))).toEqual([]);
  });
});
