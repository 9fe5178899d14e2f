/**
 * The life cycle of a feed, as a pure state machine.
 *
 *                         opened
 *     ┌────────────┐ ────────────────► ┌───────────┐
 *     │ connecting │                   │ streaming │
 *     └────────────┘ ◄──────────────── └───────────┘
 *       │       ▲       lost, stale      ▲       │
 *       │       │                        │       │
 *       │       │ lost            opened │       │ idle
 *       │       │       ┌────────┐       │       │
 *       │       └────── │ waking │ ──────┘       │
 *       │               └────────┘               │
 *       │ idle         held ▲  │ idle            │
 *       │                   │  ▼                 │
 *       │               ┌─────────┐              │
 *       └─────────────► │ resting │ ◄────────────┘
 *                       └─────────┘
 *
 *     close: every state ──► closed
 *
 * An event without an arrow changes no state. Changes of tables do not pass through this machine.
 */
import type { Transition } from './state-machine.ts';

/**
 * `connecting`: connects for the first time, or after a loss that was announced. `waking`: connects after a rest, in
 * which no client has missed a change. `resting`: not connected because no client needs the feed.
 */
export type FeedState = 'connecting' | 'waking' | 'streaming' | 'resting' | 'closed';

/**
 * - `opened`, `lost`: from the replication stream; it connects again after a loss.
 * - `stale`: the stream lacks a publication that exists by now.
 * - `held`: a client needs the feed. `idle`: no client has needed the feed for some time.
 */
export type FeedEvent = 'opened' | 'lost' | 'stale' | 'held' | 'idle' | 'close';

/** Effects of events, which the connection carries out. `announce-…` calls the listeners of the status. */
export type FeedEffect =
  | 'forget-positions'
  | 'restart-stream'
  | 'rest-stream'
  | 'wake-stream'
  | 'stop'
  | 'announce-streaming'
  | 'announce-lost'
  | 'announce-resting';

type Result = Transition<FeedState, FeedEffect>;

const REST: Result = { next: 'resting', effects: ['rest-stream', 'forget-positions', 'announce-resting'] };
const LOSE: Result = { next: 'connecting', effects: ['forget-positions', 'announce-lost'] };
const OPEN: Result = { next: 'streaming', effects: ['announce-streaming'] };
const CLOSE: Result = { next: 'closed', effects: ['stop'] };

const TRANSITIONS: Readonly<Record<FeedState, Partial<Record<FeedEvent, Result>>>> = {
  connecting: {
    opened: OPEN,
    // The loss is already announced, or the feed has never been connected.
    lost: { next: 'connecting', effects: ['forget-positions'] },
    idle: REST,
    close: CLOSE,
  },
  waking: { opened: OPEN, lost: LOSE, idle: REST, close: CLOSE },
  streaming: {
    lost: LOSE,
    stale: { next: 'connecting', effects: ['restart-stream', 'announce-lost'] },
    idle: REST,
    close: CLOSE,
  },
  resting: { held: { next: 'waking', effects: ['wake-stream'] }, close: CLOSE },
  closed: {},
};

const UNCHANGED: Readonly<Record<FeedState, Result>> = {
  connecting: { next: 'connecting', effects: [] },
  waking: { next: 'waking', effects: [] },
  streaming: { next: 'streaming', effects: [] },
  resting: { next: 'resting', effects: [] },
  closed: { next: 'closed', effects: [] },
};

/** Returns the next state and the effects of an event. */
export function feedTransition(state: FeedState, event: FeedEvent): Result {
  return TRANSITIONS[state][event] ?? UNCHANGED[state];
}
