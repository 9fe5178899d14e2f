import { describe, expect, it } from 'vitest';
import {
  applyUploadEvent,
  hasEnded,
  newUpload,
  nextUpload,
  secondsLeft,
  summarize,
  type Upload,
  withProgress,
} from './upload.ts';
import type { UploadEvent } from './upload-state.ts';

const upload = (id: string, size = 1000) =>
  newUpload({ id, ownerId: 'me', folder: '', name: `${id}.txt`, size, isResumable: true });

/** An upload after some events. `failed` has the problem `tooLarge`, `disconnected` has `unreachable`. */
function after(id: string, ...events: UploadEvent[]): Upload {
  return events.reduce((before, event) => {
    const problem = event === 'disconnected' ? 'unreachable' : 'tooLarge';
    const [changed = before] = applyUploadEvent(before, event, { now: 0, problem });
    return changed;
  }, upload(id));
}

describe('uploads', () => {
  const next = (...uploads: Upload[]) => nextUpload(uploads)?.id;
  const running = (id: string) => after(id, 'started');

  it('run two at a time in their order', () => {
    const [b, c] = [upload('b'), upload('c')];
    expect(next(upload('a'), b, c)).toBe('a');
    expect(next(running('a'), b, c)).toBe('b');
    expect(next(running('a'), running('b'), c)).toBeUndefined();
    expect(next(after('a', 'started', 'done'), running('b'), c)).toBe('c');
    expect(next(running('a'), after('b', 'started', 'paused'), c)).toBe('c');
  });

  it('count failed attempts and keep the last problem until a retry', () => {
    const offline = after('a', 'started', 'disconnected');
    expect(offline).toMatchObject({ state: 'offline', failures: 1, problem: 'unreachable' });
    const failed = after('b', 'started', 'failed');
    expect(failed).toMatchObject({ state: 'failed', failures: 1, problem: 'tooLarge' });
    expect([offline, failed].map(hasEnded)).toEqual([false, true]);
    const again = after('a', 'started', 'disconnected', 'resumed');
    expect(again).toMatchObject({ state: 'queued', failures: 1 });
    expect(again).not.toHaveProperty('problem');
  });

  it('reset the failures on progress', () => {
    const again = after('a', 'started', 'disconnected', 'resumed', 'started');
    expect(withProgress(again, 1, 1)).toMatchObject({ failures: 0 });
  });

  it('are counted as completely sent when done', () => {
    expect(after('a', 'started', 'done')).toMatchObject({ state: 'done', sent: 1000, rate: 0 });
  });

  it('are removed from the list when cancelled', () => {
    expect(applyUploadEvent(after('a', 'started'), 'cancelled')).toEqual([undefined, 'abort']);
  });
});

describe('the rate', () => {
  const progress = (...steps: (readonly [sent: number, now: number])[]) =>
    steps.reduce((before, [sent, now]) => withProgress(before, sent, now), after('a', 'started'));

  it('is measured over an interval and smoothed', () => {
    expect(progress([100, 100]).rate).toBe(0);
    expect(progress([100, 1000]).rate).toBe(100);
    expect(progress([100, 1000], [300, 2000]).rate).toBeCloseTo(130);
  });

  it('ignores bytes that have to be sent again', () => {
    expect(progress([500, 1000], [200, 1100])).toMatchObject({
      sent: 200,
      measuredFrom: { sent: 200, at: 1100 },
    });
  });

  it('predicts the remaining time', () => {
    expect(secondsLeft(progress([100, 1000]))).toBe(9);
    expect(secondsLeft(upload('b'))).toBeUndefined();
  });
});

it('summarizes the total progress in steps of 25 percent', () => {
  const half = withProgress(after('b', 'started'), 600, 1);
  const uploads = [after('a', 'started', 'done'), half, upload('c')];
  expect(summarize(uploads)).toEqual({ count: 3, done: 1, failed: 0, share: 0.5 });
  expect(summarize([])).toEqual({ count: 0, done: 0, failed: 0, share: 0 });
});
