import { describe, expect, it } from 'vitest';
import { documentedMetrics, sentMetrics } from '../testing/documented-metrics.ts';
import { type AgentStatus, INITIAL_STATUS } from './agent/protocol.ts';
import { backupMetrics, backupState } from './backup-state.ts';

const STARTED = new Date('2026-11-27T10:00:00Z');
const secondsAfter = (seconds: number) => new Date(STARTED.getTime() + seconds * 1000);
const STATUS: AgentStatus = {
  ...INITIAL_STATUS,
  isArchiveReachable: true,
  isStreaming: true,
  logUntil: secondsAfter(100),
  contentUntil: secondsAfter(95),
};

const stateAt = (seconds: number, changes: Partial<AgentStatus> = {}) =>
  backupState(
    { ...STATUS, ...changes },
    { maxLagMs: 10_000, now: secondsAfter(seconds), startedAt: STARTED },
  );

describe('the state', () => {
  it.each([
    [100, {}, 'ok'],
    [155, {}, 'ok'],
    [156, {}, 'behind'],
    [100, { isArchiveReachable: false }, 'failing'],
    [59, { logUntil: undefined }, 'starting'],
    [59, INITIAL_STATUS, 'starting'],
    [60, INITIAL_STATUS, 'failing'],
    [60, { contentUntil: undefined }, 'behind'],
  ])('after %i seconds with %j is %s', (seconds, changes, expected) => {
    expect(stateAt(seconds, changes).state).toBe(expected);
  });

  it('has the lag of the log or of the content, whichever is older', () => {
    expect(stateAt(105).lagSeconds).toBe(10);
    expect(stateAt(105, { contentUntil: secondsAfter(104) }).lagSeconds).toBe(5);
    expect(stateAt(105, { contentUntil: undefined }).lagSeconds).toBeUndefined();
  });

  it('has the times of backups', () => {
    expect(stateAt(100, { newestBackup: secondsAfter(1), verifiedBackup: STARTED })).toMatchObject({
      newestBackup: '2026-11-27T10:00:01.000Z',
      verifiedBackup: '2026-11-27T10:00:00.000Z',
    });
  });
});

it('metrics have no value for times that are unknown', async () => {
  const pending = { counts: { waiting: 3, held: 1 } };
  const known = await backupMetrics(
    () => ({ ...STATUS, newestBackup: STARTED, failed: { ...STATUS.failed, verification: 2 } }),
    pending,
  ).metrics();
  for (const line of [
    'greenroom_backup_archive_up 1',
    `greenroom_backup_newest_timestamp_seconds ${STARTED.getTime() / 1000}`,
    'greenroom_backup_waiting_objects 3',
    'greenroom_backup_held_objects 1',
    'greenroom_backup_work{kind="verification",outcome="failed"} 2',
  ])
    expect(known.split('\n')).toContain(line);
  expect(known).toMatch(/^greenroom_backup_lag_seconds \d+/m);
  const unknown = await backupMetrics(() => INITIAL_STATUS, pending).metrics();
  for (const name of ['lag_seconds', 'newest_timestamp_seconds', 'verified_timestamp_seconds'])
    expect(unknown).not.toMatch(new RegExp(`^greenroom_backup_${name} `, 'm'));
});

it('metrics are those of the reference', async () => {
  const sent = await backupMetrics(() => STATUS, { counts: { waiting: 0, held: 0 } }).metrics();
  const documented = documentedMetrics().filter((name) => name.startsWith('greenroom_backup_'));
  expect(sentMetrics(sent)).toEqual(documented);
});
