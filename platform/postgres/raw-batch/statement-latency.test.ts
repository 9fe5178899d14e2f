import { expect, it } from 'vitest';
import { StatementLatency } from './statement-latency.ts';

const recorded = (...times: number[]) => {
  const latency = new StatementLatency();
  for (const ms of times) latency.record(ms);
  return latency;
};
const times = (count: number, ms: number) => new Array<number>(count).fill(ms);

it('is unknown before a few runs', () => {
  expect(recorded(...times(3, 0.1)).isQuick).toBe(false);
  expect(recorded(...times(4, 0.1)).isQuick).toBe(true);
});

it('is the minimum of the last runs, because a busy machine slows all others down', () => {
  expect(recorded(...times(10, 50), 0.5).isQuick).toBe(true);
  expect(recorded(...times(10, 50)).isQuick).toBe(false);
});

it('ignores old runs', () => {
  expect(recorded(...times(16, 0.1), ...times(15, 50)).isQuick).toBe(true);
  expect(recorded(...times(16, 0.1), ...times(16, 50)).isQuick).toBe(false);
});

it('does not count as quick for a while after a run that was too slow', () => {
  const latency = recorded(...times(20, 0.1));
  latency.recordSlow();
  expect(latency.isQuick).toBe(false);
  for (const ms of times(63, 0.1)) latency.record(ms);
  expect(latency.isQuick).toBe(false);
  latency.record(0.1);
  expect(latency.isQuick).toBe(true);
});
