import { describe, expect, it } from 'vitest';
import { advanceJob, BULK_GROUP, isBulkAction, nextGroup, startJob } from './bulk-job.ts';

const ids = Array.from({ length: BULK_GROUP + 5 }, (_, index) => `u${index}`);

describe('a change of selected users', () => {
  it('sends groups until no user remains', () => {
    const started = startJob('ban', ids, '24h');
    const first = nextGroup(started);
    expect(first).toHaveLength(BULK_GROUP);
    const second = advanceJob(started, { type: 'changed', ids: first, failures: [] });
    expect(nextGroup(second)).toEqual(ids.slice(BULK_GROUP));
    const failures = [{ id: 'u20', problem: 'gone' }];
    const done = advanceJob(second, { type: 'changed', ids: nextGroup(second), failures });
    expect(done).toMatchObject({ state: 'done', remaining: [], failures, total: ids.length });
    expect(nextGroup(done)).toEqual([]);
  });

  it('pauses after a failed request, and sends the same group again when it continues', () => {
    const started = startJob('ban', ids, '24h');
    const paused = advanceJob(started, { type: 'failed' });
    expect([paused.state, nextGroup(paused)]).toEqual(['paused', []]);
    expect(nextGroup(advanceJob(paused, { type: 'continue' }))).toEqual(nextGroup(started));
  });

  it('stops after the current group', () => {
    const stopped = advanceJob(startJob('delete', ids, ''), { type: 'stop' });
    expect([stopped.state, nextGroup(stopped)]).toEqual(['stopped', []]);
    const changed = advanceJob(stopped, { type: 'changed', ids: ids.slice(0, BULK_GROUP), failures: [] });
    expect([changed.state, changed.remaining.length]).toEqual(['stopped', 5]);
  });

  it('is done at once without users', () => {
    expect(startJob('confirm', [], '').state).toBe('done');
  });
});

describe('isBulkAction', () => {
  it.each([
    ['ban', true],
    ['impersonate', false],
    [null, false],
  ])('decides about %j: %s', (value, expected) => {
    expect(isBulkAction(value)).toBe(expected);
  });
});
