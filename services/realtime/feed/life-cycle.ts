/**
 * The life cycle of a feed, as a pure state machine.
 *
 *                          opened
 *     ┌────────────┐ ─────────────────► ┌───────────┐
 *     │ connecting │                    │ streaming │
 *     └────────────┘ ◄───────────────── └───────────┘
 *       │       ▲        lost, stale      ▲       │
 *       │       │                         │       │
 *       │       │ lost             opened │       │ idle
 *       │       │       ┌──────────┐      │       │
 *       │       └────── │ resuming │ ─────┘       │
 *       │               └──────────┘              │
 *       │ idle       acquired ▲  │ idle           │
 *       │                     │  ▼                │
 *       │               ┌───────────┐             │
 *       └─────────────► │ suspended │ ◄───────────┘
 *                       └───────────┘
 *
 *     close: every state ──► closed
 *
 * An event without an arrow changes no state. Changes of tables do not pass through this machine.
 */
import type { Transition } from '@greenroom/state-machine';

/**
 * `connecting`: connects for the first time, or after a loss that was announced. `resuming`: connects after a
 * suspension, in which no client has missed a change. `suspended`: not connected because no client needs the feed.
 */
export type FeedState = 'connecting' | 'resuming' | 'streaming' | 'suspended' | 'closed';

/**
 * - `opened`, `lost`: from the replication stream; it connects again after a loss.
 * - `stale`: the stream lacks a publication that exists by now.
 * - `acquired`: a client needs the feed. `idle`: no client has needed the feed for some time.
 */
export type FeedEvent = 'opened' | 'lost' | 'stale' | 'acquired' | 'idle' | 'close';

/** Effects of events, which the connection carries out. `announce-…` calls the listeners of the status. */
export type FeedEffect =
  | 'forget-positions'
  | 'restart-stream'
  | 'disconnect-stream'
  | 'connect-stream'
  | 'stop'
  | 'announce-streaming'
  | 'announce-lost'
  | 'announce-suspended';

type Result = Transition<FeedState, FeedEffect>;

const SUSPENDED: Result = {
  next: 'suspended',
  effects: ['disconnect-stream', 'forget-positions', 'announce-suspended'],
};
const LOST: Result = { next: 'connecting', effects: ['forget-positions', 'announce-lost'] };
const OPENED: Result = { next: 'streaming', effects: ['announce-streaming'] };
const CLOSED: Result = { next: 'closed', effects: ['stop'] };

const TRANSITIONS: Readonly<Record<FeedState, Partial<Record<FeedEvent, Result>>>> = {
  connecting: {
    opened: OPENED,
    // The loss is already announced, or the feed has never been connected.
    lost: { next: 'connecting', effects: ['forget-positions'] },
    idle: SUSPENDED,
    close: CLOSED,
  },
  resuming: { opened: OPENED, lost: LOST, idle: SUSPENDED, close: CLOSED },
  streaming: {
    lost: LOST,
    stale: { next: 'connecting', effects: ['restart-stream', 'announce-lost'] },
    idle: SUSPENDED,
    close: CLOSED,
  },
  suspended: { acquired: { next: 'resuming', effects: ['connect-stream'] }, close: CLOSED },
  closed: {},
};

const UNCHANGED: Readonly<Record<FeedState, Result>> = {
  connecting: { next: 'connecting', effects: [] },
  resuming: { next: 'resuming', effects: [] },
  streaming: { next: 'streaming', effects: [] },
  suspended: { next: 'suspended', effects: [] },
  closed: { next: 'closed', effects: [] },
};

/** Returns the next state and the effects of an event. */
export function feedTransition(state: FeedState, event: FeedEvent): Result {
  return TRANSITIONS[state][event] ?? UNCHANGED[state];
}
