import { type CalendarSchedule, parseFiveFields } from '@greenroom/schedule';
import { expect, it } from 'vitest';
import { type MaintenanceState, nextTask } from './next-task.ts';

const NOW = new Date('2026-11-27T10:00:00Z');
const NEWEST = { id: 'b', createdAt: new Date('2026-11-27T03:00:01Z'), isChecked: true };
const DAILY = parseFiveFields('0 3 * * *') as CalendarSchedule;
const STATE: MaintenanceState = {
  newest: NEWEST,
  hasGap: false,
  schedule: DAILY,
  verifies: true,
  pausedUntil: undefined,
};
const YESTERDAY = { ...NEWEST, createdAt: new Date('2026-11-26T03:00:01Z') };

it.each<[string, Partial<MaintenanceState>, object]>([
  ['waits for the next time of the schedule', {}, { kind: 'wait', until: new Date('2026-11-28T03:00:00Z') }],
  ['waits without a schedule', { schedule: 'off' }, { kind: 'wait', until: undefined }],
  ['creates the first backup at once', { newest: undefined }, { kind: 'backup', reason: 'none' }],
  [
    'creates the first backup also without a schedule',
    { newest: undefined, schedule: 'off' },
    { kind: 'backup', reason: 'none' },
  ],
  ['creates a backup after a gap of the log', { hasGap: true }, { kind: 'backup', reason: 'gap' }],
  ['makes up a time that has passed', { newest: YESTERDAY }, { kind: 'backup', reason: 'schedule' }],
  [
    'verifies a backup that has no result',
    { newest: { ...NEWEST, isChecked: false } },
    { kind: 'verification', id: 'b' },
  ],
  [
    'does not verify if that is switched off',
    { newest: { ...NEWEST, isChecked: false }, verifies: false },
    { kind: 'wait', until: new Date('2026-11-28T03:00:00Z') },
  ],
  [
    'pauses after a failure',
    { newest: undefined, pausedUntil: new Date('2026-11-27T10:01:00Z') },
    { kind: 'wait', until: new Date('2026-11-27T10:01:00Z') },
  ],
  ['continues after the pause', { newest: undefined, pausedUntil: NOW }, { kind: 'backup', reason: 'none' }],
])('%s', (_title, changes, task) => {
  expect(nextTask({ ...STATE, ...changes }, NOW)).toEqual(task);
});
