import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { LargeField } from './large-field.ts';

const IDLE_TIMEOUT_MS = 20;
const CHUNK_BYTES = 1024 * 1024;

it('frees the connection once its last piece has arrived, even with a slow consumer', async () => {
  const calls: string[] = [];
  const source = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  const field = new LargeField(source, 2 * CHUNK_BYTES, { idleTimeoutMs: IDLE_TIMEOUT_MS });
  const chunks = ['a', 'b'].map((letter) => Buffer.alloc(CHUNK_BYTES, letter));
  field.receive(chunks[0] ?? Buffer.alloc(0));
  expect(calls).toEqual(['pause']);
  field.receive(chunks[1] ?? Buffer.alloc(0), true);
  field.push(null);
  expect(calls).toEqual(['pause', 'resume']);
  // Much longer than a consumer may keep a connection busy without reading.
  await new Promise((resolve) => setTimeout(resolve, 5 * IDLE_TIMEOUT_MS));
  expect(Buffer.concat(await field.toArray())).toEqual(Buffer.concat(chunks));
});

it('is destroyed if its consumer reads nothing while more is expected', async () => {
  const calls: string[] = [];
  const source = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  const field = new LargeField(source, 2 * CHUNK_BYTES, { idleTimeoutMs: IDLE_TIMEOUT_MS });
  field.receive(Buffer.alloc(CHUNK_BYTES));
  // No consumer reads; the end is reported to listeners.
  await expect(once(field, 'error')).resolves.toEqual([
    expect.objectContaining({ message: `the consumer of a result read nothing for ${IDLE_TIMEOUT_MS} ms` }),
  ]);
  expect(calls).toEqual(['pause', 'resume']);
});

it('releases the memory of a piece when the destination has written it', async () => {
  const field = new LargeField({ pause: () => undefined, resume: () => undefined }, 3 * CHUNK_BYTES);
  const chunks = ['a', 'b', 'c'].map((letter) => Buffer.alloc(CHUNK_BYTES, letter));
  const lengths = () => chunks.map(({ length }) => length);
  const written: string[] = [];
  let next: (() => void) | undefined;
  const destination = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      next = () => {
        written.push(chunk.toString('latin1', 0, 1), chunk.toString('latin1', CHUNK_BYTES - 1));
        done();
      };
    },
  });
  field.pipe(destination);
  for (const [i, chunk] of chunks.entries()) field.receive(chunk, i === 2);
  field.push(null);
  for (const left of [3, 2, 1]) {
    await expect.poll(() => next).toBeDefined();
    expect(lengths().filter((length) => length === CHUNK_BYTES)).toHaveLength(left);
    next?.();
    next = undefined;
  }
  await once(destination, 'finish');
  expect(written.join('')).toBe('aabbcc');
  expect(lengths()).toEqual([0, 0, 0]);
});

describe('for a slow consumer', () => {
  /** Creates a field with some chunks, of which one has arrived, and records the calls to its source. */
  function begin(chunks: number, times: { idleTimeoutMs?: number; checkIntervalMs?: number }) {
    const calls: string[] = [];
    const source = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
    const field = new LargeField(source, chunks * CHUNK_BYTES, times);
    field.receive(Buffer.alloc(CHUNK_BYTES));
    return { field, calls };
  }

  it('is buffered after a while, so that the connection is free', async () => {
    const { field, calls } = begin(5, { checkIntervalMs: 10 });
    await expect.poll(() => calls).toEqual(['pause', 'resume']);
    for (let i = 1; i < 5; i += 1) field.receive(Buffer.alloc(CHUNK_BYTES), i === 4);
    field.push(null);
    expect(calls).toEqual(['pause', 'resume']);
    expect(Buffer.concat(await field.toArray())).toHaveLength(5 * CHUNK_BYTES);
  });

  it('is not buffered if the consumer reads fast enough', () => {
    vi.useFakeTimers();
    try {
      const { field, calls } = begin(20, { checkIntervalMs: 1000 });
      for (let i = 0; i < 5; i += 1) {
        field.read(CHUNK_BYTES);
        field.receive(Buffer.alloc(CHUNK_BYTES));
      }
      vi.advanceTimersByTime(1500);
      expect(calls.at(-1)).toBe('pause');
      vi.advanceTimersByTime(1500);
      expect(calls.at(-1)).toBe('resume');
      field.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not buffered without room in the buffer', async () => {
    const max = 256;
    const { field, calls } = begin(max, { checkIntervalMs: 10 });
    await expect.poll(() => calls).toEqual(['pause', 'resume']);
    const another = begin(1, { checkIntervalMs: 10 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(another.calls).toEqual(['pause']);
    another.field.destroy();
    field.destroy();
    await once(field, 'close');
    const third = begin(max, { checkIntervalMs: 10 });
    await expect.poll(() => third.calls).toEqual(['pause', 'resume']);
    third.field.destroy();
  });

  it('is destroyed if no bytes are read from the buffer for a while, and kept otherwise', async () => {
    vi.useFakeTimers();
    try {
      const { field } = begin(6, { checkIntervalMs: 1, idleTimeoutMs: 100 });
      vi.advanceTimersByTime(2);
      for (let i = 1; i < 6; i += 1) field.receive(Buffer.alloc(CHUNK_BYTES), i === 5);
      field.push(null);
      const failed = once(field, 'error');
      for (let i = 0; i < 4; i += 1) {
        vi.advanceTimersByTime(100);
        expect(field.read(CHUNK_BYTES)).toHaveLength(CHUNK_BYTES);
      }
      vi.advanceTimersByTime(250);
      await expect(failed).resolves.toEqual([
        expect.objectContaining({ message: 'the consumer of a result read nothing for 100 ms' }),
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not buffered if its client has filled its share of the buffer, while others are buffered', async () => {
    const occupying = begin(64, { checkIntervalMs: 10 });
    occupying.field.client = 'a';
    await expect.poll(() => occupying.calls).toEqual(['pause', 'resume']);
    const same = begin(1, { checkIntervalMs: 10 });
    same.field.client = 'a';
    const other = begin(1, { checkIntervalMs: 10 });
    other.field.client = 'b';
    await expect.poll(() => other.calls).toEqual(['pause', 'resume']);
    expect(same.calls).toEqual(['pause']);
    for (const { field } of [occupying, same, other]) field.destroy();
    await once(other.field, 'close');
    const next = begin(64, { checkIntervalMs: 10 });
    next.field.client = 'a';
    await expect.poll(() => next.calls).toEqual(['pause', 'resume']);
    next.field.destroy();
  });

  it('occupies a connection for a limited time without room in the buffer', async () => {
    vi.useFakeTimers();
    try {
      const { field } = begin(300, { checkIntervalMs: 1000, idleTimeoutMs: 30_000 });
      const failed = once(field, 'error');
      for (let second = 0; second < 120; second += 1) {
        expect(field.destroyed).toBe(false);
        field.read(CHUNK_BYTES);
        field.receive(Buffer.alloc(CHUNK_BYTES));
        vi.advanceTimersByTime(1000);
      }
      await expect(failed).resolves.toEqual([
        expect.objectContaining({ message: 'the consumer of a result read too slowly for 120000 ms' }),
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
