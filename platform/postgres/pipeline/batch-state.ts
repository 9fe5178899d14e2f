/**
 * A batch of reads on its connection, as a pure state machine.
 *
 *     all reads are quick                  its only read is not
 *              │                                    │
 *              ▼  overdue, split, unexpected-row    ▼
 *          ┌───────┐ ──────────────────────────► ┌──────┐
 *          │ quick │                             │ slow │
 *          └───────┘      ┌───────────┐          └──────┘
 *              └────────► │ streaming │ ◄────────────┘
 *             stream      └───────────┘      stream
 *
 *     answered: every state ──► answered
 *
 * An event without an arrow changes no state, but may have effects.
 */

/**
 * `slow`: it may keep its connection for any length of time. `streaming`: the first read receives a large row.
 * `answered`: the server has sent all responses, so a cancel request could hit the next batch of the connection.
 */
export type BatchState = 'quick' | 'slow' | 'streaming' | 'answered';

/**
 * - `overdue`: it takes too long, and its only read may keep the connection.
 * - `split`: it takes too long. Any of its reads may be the reason, or its only read may not keep the connection.
 * - `stream`: a large row of the first read arrives, and that read may keep the connection.
 * - `unexpected-row`: a large row of another read arrives, or of a read that may not keep the connection.
 * - `row-closed`: the large row, for which other reads had to leave, was received or is no longer wanted.
 * - `abort`: the caller of the first read has aborted it.
 */
export type BatchEvent =
  | 'overdue'
  | 'split'
  | 'stream'
  | 'unexpected-row'
  | 'row-closed'
  | 'abort'
  | 'answered';

/**
 * - `record-slow`: the latencies of its statements do not count as quick for some time.
 * - `report-slow`: the connection is not available to quick reads. Occurs once for each batch.
 * - `release-others`: all reads but the first leave the batch, and run in another one.
 * - `separate-all`: all reads leave the batch. Each runs alone.
 * - `cancel`: the running statement is cancelled. Repeating it has no effect.
 */
export type BatchEffect = 'record-slow' | 'report-slow' | 'release-others' | 'separate-all' | 'cancel';

/** The next state, and the effects to perform in this order. */
interface Transition {
  readonly next: BatchState;
  readonly effects: readonly BatchEffect[];
}

const TRANSITIONS: Readonly<Record<BatchState, Partial<Record<BatchEvent, Transition>>>> = {
  quick: {
    overdue: { next: 'slow', effects: ['report-slow'] },
    split: { next: 'slow', effects: ['record-slow', 'report-slow', 'separate-all', 'cancel'] },
    stream: { next: 'streaming', effects: ['release-others', 'report-slow'] },
    'unexpected-row': { next: 'slow', effects: ['report-slow', 'separate-all', 'cancel'] },
    abort: { next: 'quick', effects: ['release-others', 'cancel'] },
    answered: { next: 'answered', effects: [] },
  },
  slow: {
    stream: { next: 'streaming', effects: ['release-others'] },
    'unexpected-row': { next: 'slow', effects: ['separate-all', 'cancel'] },
    abort: { next: 'slow', effects: ['release-others', 'cancel'] },
    answered: { next: 'answered', effects: [] },
  },
  streaming: {
    // The reads behind the first have been run elsewhere since it began to stream.
    'unexpected-row': { next: 'streaming', effects: ['cancel'] },
    'row-closed': { next: 'streaming', effects: ['cancel'] },
    abort: { next: 'streaming', effects: ['cancel'] },
    answered: { next: 'answered', effects: [] },
  },
  answered: {},
};

const UNCHANGED: Readonly<Record<BatchState, Transition>> = {
  quick: { next: 'quick', effects: [] },
  slow: { next: 'slow', effects: [] },
  streaming: { next: 'streaming', effects: [] },
  answered: { next: 'answered', effects: [] },
};

/** Returns the next state and the effects of an event. */
export function batchTransition(state: BatchState, event: BatchEvent): Transition {
  return TRANSITIONS[state][event] ?? UNCHANGED[state];
}
