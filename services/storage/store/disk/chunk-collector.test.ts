import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ChunkCollector } from './chunk-collector.ts';

const MEBIBYTE = 1024 * 1024;

it('collects whenever enough has come together', () => {
  let times = 0;
  const collector = new ChunkCollector(() => {
    times += 1;
  });
  for (let i = 0; i < 48; i += 1) collector.drop(MEBIBYTE);
  expect(times).toBe(3);
  collector.drop(100 * MEBIBYTE);
  expect(times).toBe(4);
});

it('keeps the memory of chunks that are dropped small', () => {
  const collector = new ChunkCollector();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let i = 0; i < 4000; i += 1) {
    collector.drop(Buffer.allocUnsafeSlow(64 * 1024).length);
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }
  expect((most - before) / MEBIBYTE).toBeLessThan(40);
});

it('leaves the collector of V8 to nobody else', () => {
  new ChunkCollector();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
