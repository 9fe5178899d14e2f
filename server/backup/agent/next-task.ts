/** Decides which work on complete backups is due. Pure. */
import { type CalendarSchedule, nextDue } from '@greenroom/schedule';

/** The newest backup of the log that is being shipped. */
interface NewestBackup {
  id: string;
  createdAt: Date;
  /** Whether its verification has a result, good or bad. */
  isChecked: boolean;
}

/** The state that the decision depends on. */
export interface MaintenanceState {
  newest: NewestBackup | undefined;
  /** Whether a part of the log after the newest backup is missing. */
  hasGap: boolean;
  /** `off`: backups are created only if there is none, or after a gap. */
  schedule: CalendarSchedule | 'off';
  verifies: boolean;
  /** After a failure: nothing is done before. */
  pausedUntil: Date | undefined;
}

/** The next work; `wait` has the time to decide again, undefined if only a gap can make work due. */
export type Task =
  | { kind: 'backup'; reason: 'none' | 'gap' | 'schedule' }
  | { kind: 'verification'; id: string }
  | { kind: 'wait'; until: Date | undefined };

/** Returns the work that is due at a time. */
export function nextTask(state: MaintenanceState, now: Date): Task {
  const { newest, hasGap, schedule, verifies, pausedUntil } = state;
  if (pausedUntil !== undefined && pausedUntil > now) return { kind: 'wait', until: pausedUntil };
  if (newest === undefined) return { kind: 'backup', reason: 'none' };
  if (hasGap) return { kind: 'backup', reason: 'gap' };
  const dueAt = schedule === 'off' ? undefined : nextDue(schedule, newest.createdAt);
  if (dueAt !== undefined && dueAt <= now) return { kind: 'backup', reason: 'schedule' };
  if (verifies && !newest.isChecked) return { kind: 'verification', id: newest.id };
  return { kind: 'wait', until: dueAt };
}
