import { describe, expect, it } from 'vitest';
import {
  isOver,
  newUpload,
  nextUpload,
  reduceUploads,
  secondsLeft,
  summarize,
  type Upload,
  type UploadEvent,
} from './upload.ts';

const upload = (id: string, size = 1000) =>
  newUpload({ id, ownerId: 'me', folder: '', name: `${id}.txt`, size, isResumable: true });

function after(...events: UploadEvent[]): readonly Upload[] {
  return events.reduce(reduceUploads, [upload('a'), upload('b'), upload('c')]);
}

const start = (id: string): UploadEvent => ({ type: 'started', id, now: 0 });

describe('uploads', () => {
  it('run two at a time, in their order', () => {
    expect(nextUpload(after())?.id).toBe('a');
    expect(nextUpload(after(start('a')))?.id).toBe('b');
    expect(nextUpload(after(start('a'), start('b')))).toBeUndefined();
    expect(nextUpload(after(start('a'), start('b'), { type: 'done', id: 'a' }))?.id).toBe('c');
    expect(nextUpload(after(start('a'), start('b'), { type: 'paused', id: 'b' }))?.id).toBe('c');
  });

  it('wait after a failure without an answer, and end with any other', () => {
    const [a, b] = after(start('a'), { type: 'failed', id: 'a', problem: 'unreachable' }, start('b'), {
      type: 'failed',
      id: 'b',
      problem: 'tooLarge',
    });
    expect(a).toMatchObject({ state: 'offline', failures: 1 });
    expect(b).toMatchObject({ state: 'failed', problem: 'tooLarge' });
    expect([a, b].map((each) => each && isOver(each))).toEqual([false, true]);
  });

  it('forget a failure once they go on', () => {
    const [a] = after({ type: 'failed', id: 'a', problem: 'unreachable' }, { type: 'resumed', id: 'a' });
    expect(a).toMatchObject({ state: 'waiting', failures: 1 });
    expect(a).not.toHaveProperty('problem');
    const [done] = after(
      { type: 'done', id: 'a' },
      { type: 'resumed', id: 'a' },
      { type: 'paused', id: 'a' },
    );
    expect(done?.state).toBe('done');
  });

  it('leave the list by hand, or once they are over', () => {
    expect(after({ type: 'removed', id: 'b' }).map(({ id }) => id)).toEqual(['a', 'c']);
    const left = after(
      { type: 'done', id: 'a' },
      { type: 'failed', id: 'b', problem: 'refused' },
      { type: 'cleared' },
    );
    expect(left.map(({ id }) => id)).toEqual(['c']);
  });
});

describe('the rate', () => {
  const progress = (sent: number, now: number): UploadEvent => ({ type: 'progress', id: 'a', sent, now });

  it('is measured over a while, and smoothed', () => {
    expect(after(start('a'), progress(100, 100))[0]?.rate).toBe(0);
    expect(after(start('a'), progress(100, 1000))[0]?.rate).toBe(100);
    expect(after(start('a'), progress(100, 1000), progress(300, 2000))[0]?.rate).toBeCloseTo(130);
  });

  it('does not count what was taken back', () => {
    const [a] = after(start('a'), progress(500, 1000), progress(200, 1100));
    expect(a).toMatchObject({ sent: 200, mark: { sent: 200, at: 1100 } });
  });

  it('tells how long it will take', () => {
    const [a, b] = after(start('a'), progress(100, 1000));
    expect(a && secondsLeft(a)).toBe(9);
    expect(b && secondsLeft(b)).toBeUndefined();
  });
});

it('all together are told in quarters', () => {
  const progress: UploadEvent = { type: 'progress', id: 'b', sent: 600, now: 1 };
  expect(summarize(after(progress, { type: 'done', id: 'a' }))).toEqual({
    count: 3,
    done: 1,
    failed: 0,
    percent: 50,
  });
  expect(summarize([])).toEqual({ count: 0, done: 0, failed: 0, percent: 0 });
});
