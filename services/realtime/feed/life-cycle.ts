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
 * `connecting`: for the first time, or again after a loss, which clients know of. `waking`: connecting after a rest, during
 * which no client has missed anything. `resting`: not connected because no client needs the feed.
 */
export type FeedState = 'connecting' | 'waking' | 'streaming' | 'resting' | 'closed';

/**
 * - `opened`, `lost`: from the replication stream; it connects again after a loss.
 * - `stale`: the stream lacks a publication that exists by now.
 * - `held`, `idle`: a client needs the feed; no client has needed it for some time.
 */
export type FeedEvent = 'opened' | 'lost' | 'stale' | 'held' | 'idle' | 'close';

/** What a feed does about an event. `announce-…`: calls the listeners of the status. */
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
    // Clients know already, or have never been connected.
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

/** The next state and the effects of an event. */
export function feedTransition(state: FeedState, event: FeedEvent): Result {
  return TRANSITIONS[state][event] ?? UNCHANGED[state];
}
