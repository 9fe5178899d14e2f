/**
 * The life cycle of an identity queue, as a pure state machine.
 *
 *              added                 drop
 *     idle ───────────► checking ──────────► last-attempt
 *      ▲                  │ ▲ │                   │
 *      │                  │ └─┘ timed-out         │
 *      │ delivered,failed │                       │ delivered, failed, timed-out
 *      └──────────────────┴───────────────────────┘
 *
 * An event without an arrow changes nothing. After a batch, `continue` begins the next one if batches wait.
 */
import type { Transition } from '@greenroom/state-machine';

/** `last-attempt`: the current batch is not retried if it times out, because too many changes wait behind it. */
export type QueueState = 'idle' | 'checking' | 'last-attempt';

/**
 * - `added`: a batch was added. `drop`: the waiting batches were dropped.
 * - Outcomes of a check: `delivered`; `timed-out`, which may be retried; `failed`, which may not.
 */
export type QueueEvent =
  | { readonly type: 'added' | 'drop' | 'delivered' }
  | { readonly type: 'timed-out' | 'failed'; readonly error: Error };

/** `begin` takes the next batch, `settle` completes the current one. */
export type QueueEffect =
  | { readonly type: 'begin' | 'check' | 'settle' | 'continue' }
  | { readonly type: 'report-dropped'; readonly error: Error };

type Result = Transition<QueueState, QueueEffect>;

// Constants avoid allocations, because a batch may be a single change.
const IDLE: Result = { next: 'idle', effects: [] };
const CHECKING: Result = { next: 'checking', effects: [] };
const LAST_ATTEMPT: Result = { next: 'last-attempt', effects: [] };
const BEGIN: Result = { next: 'checking', effects: [{ type: 'begin' }, { type: 'check' }] };
const CHECK_AGAIN: Result = { next: 'checking', effects: [{ type: 'check' }] };
const DELIVERED: Result = { next: 'idle', effects: [{ type: 'settle' }, { type: 'continue' }] };

/** Returns the next state and the effects of an event. */
export function queueTransition(state: QueueState, event: QueueEvent): Result {
  if (state === 'idle') return event.type === 'added' ? BEGIN : IDLE;
  switch (event.type) {
    case 'delivered':
      return DELIVERED;
    case 'timed-out':
      return state === 'checking' ? CHECK_AGAIN : dropped(event.error);
    case 'failed':
      return dropped(event.error);
    case 'drop':
      return LAST_ATTEMPT;
    case 'added':
      return state === 'checking' ? CHECKING : LAST_ATTEMPT;
  }
}

function dropped(error: Error): Result {
  return {
    next: 'idle',
    effects: [{ type: 'report-dropped', error }, { type: 'settle' }, { type: 'continue' }],
  };
}
