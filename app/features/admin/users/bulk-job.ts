/** The change of selected users as a state machine: groups are sent one after the other. Pure. */

/** Users per request. */
export const BULK_GROUP = 20;

/** The changes of several users. */
export const BULK_ACTIONS = ['ban', 'unban', 'confirm', 'set-role', 'end-sessions', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Returns whether a value is the name of a change. */
export function isBulkAction(value: unknown): value is BulkAction {
  return BULK_ACTIONS.some((action) => action === value);
}

/** A user who could not be changed. */
export interface BulkFailure {
  id: string;
  problem: string;
}

/** The progress of a change. */
export interface BulkJob {
  action: BulkAction;
  /** Duration of a ban, or name of a role. */
  value: string;
  total: number;
  /** Users who are not changed yet. */
  remaining: readonly string[];
  failures: readonly BulkFailure[];
  state: 'running' | 'paused' | 'done' | 'stopped';
}

/** `failed`: the group could not be sent; it is sent again when the job continues. */
export type BulkEvent =
  | { type: 'changed'; ids: readonly string[]; failures: readonly BulkFailure[] }
  | { type: 'failed' }
  | { type: 'continue' }
  | { type: 'stop' };

/** Starts a job. */
export function startJob(action: BulkAction, ids: readonly string[], value: string): BulkJob {
  return {
    action,
    value,
    total: ids.length,
    remaining: ids,
    failures: [],
    state: ids.length > 0 ? 'running' : 'done',
  };
}

/** Returns the next group; empty if the job does not run. */
export function nextGroup({ state, remaining }: BulkJob): readonly string[] {
  return state === 'running' ? remaining.slice(0, BULK_GROUP) : [];
}

/** Returns the job after an event. */
export function advanceJob(job: BulkJob, event: BulkEvent): BulkJob {
  switch (event.type) {
    case 'changed': {
      const changed = new Set(event.ids);
      const remaining = job.remaining.filter((id) => !changed.has(id));
      const state = remaining.length === 0 ? 'done' : job.state;
      return { ...job, remaining, failures: [...job.failures, ...event.failures], state };
    }
    case 'failed':
      return job.state === 'running' ? { ...job, state: 'paused' } : job;
    case 'continue':
      return job.state === 'paused' ? { ...job, state: 'running' } : job;
    case 'stop':
      return job.state === 'done' ? job : { ...job, state: 'stopped' };
  }
}
