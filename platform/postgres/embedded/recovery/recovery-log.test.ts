import { expect, it } from 'vitest';
import { explainFailure, type RecoveryProgress, readProgress } from './recovery-log.ts';

const NOTHING: RecoveryProgress = { position: undefined, lastCommit: undefined, timeline: undefined };

it('reads position, last commit and timeline from the log of the server', () => {
  const lines = [
    'LOG:  starting backup recovery with redo LSN 0/4000028, checkpoint LSN 0/4000080, on timeline ID 1',
    'LOG:  redo starts at 0/4000028',
    'LOG:  redo in progress, elapsed time: 1.00 s, current LSN: 0/5000000',
    'LOG:  redo done at 0/5A00028 system usage: CPU: user: 0.00 s, system: 0.00 s, elapsed: 1.10 s',
    'LOG:  last completed transaction was at log time 2026-11-27 10:15:00.123+00',
    'LOG:  selected new timeline ID: 2',
    'LOG:  database system is ready to accept connections',
  ];
  expect(lines.reduce(readProgress, NOTHING)).toEqual({
    position: 0x5a00028n,
    lastCommit: '2026-11-27 10:15:00.123+00',
    timeline: 2,
  });
});

it.each([
  [
    'FATAL:  recovery ended before configured recovery target was reached',
    'targetNotReached',
    'the log does not reach the requested time: it ends at 0/50, its last commit was at 10:15',
  ],
  [
    'FATAL:  requested recovery stop point is before consistent recovery point',
    'targetTooEarly',
    'the requested time is before the end of the backup: use an earlier backup',
  ],
  [
    'FATAL:  WAL ends before end of online backup',
    'incompleteLog',
    'the log that belongs to the backup is incomplete: it ends at 0/50, its last commit was at 10:15. Restore another backup.',
  ],
  [
    'FATAL:  could not map anonymous shared memory: Cannot allocate memory',
    'failed',
    'PostgreSQL could not recover the cluster: could not map anonymous shared memory: Cannot allocate memory',
  ],
])('explains %s', (line, kind, message) => {
  const progress = { ...NOTHING, position: 0x50n, lastCommit: '10:15' };
  const error = explainFailure(['LOG:  redo starts at 0/50', line], progress, new Error('it ended'));
  expect(error).toMatchObject({ kind, message });
});

it('reports the error of the start if the log has no reason', () => {
  const error = explainFailure([], NOTHING, new Error('spawn failed'));
  expect(error.message).toBe('PostgreSQL could not recover the cluster: spawn failed');
});
