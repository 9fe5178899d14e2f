import { describe, expect, it } from 'vitest';
import { type BatchEffect, type BatchEvent, type BatchState, batchTransition } from './batch-state.ts';

const STATES: readonly BatchState[] = ['quick', 'slow', 'streaming', 'answered'];
const EVENTS: readonly BatchEvent[] = [
  'overdue',
  'split',
  'stream',
  'unexpected-row',
  'row-closed',
  'abort',
  'answered',
];

type Row = readonly [state: BatchState, event: BatchEvent, next: BatchState, ...effects: BatchEffect[]];
const TABLE: readonly Row[] = [
  ['quick', 'overdue', 'slow', 'report-slow'],
  ['quick', 'split', 'slow', 'record-slow', 'report-slow', 'separate-all', 'cancel'],
  ['quick', 'stream', 'streaming', 'release-others', 'report-slow'],
  ['quick', 'unexpected-row', 'slow', 'report-slow', 'separate-all', 'cancel'],
  ['quick', 'row-closed', 'quick'],
  ['quick', 'abort', 'quick', 'release-others', 'cancel'],
  ['quick', 'answered', 'answered'],

  ['slow', 'overdue', 'slow'],
  ['slow', 'split', 'slow'],
  ['slow', 'stream', 'streaming', 'release-others'],
  ['slow', 'unexpected-row', 'slow', 'separate-all', 'cancel'],
  ['slow', 'row-closed', 'slow'],
  ['slow', 'abort', 'slow', 'release-others', 'cancel'],
  ['slow', 'answered', 'answered'],

  ['streaming', 'overdue', 'streaming'],
  ['streaming', 'split', 'streaming'],
  ['streaming', 'stream', 'streaming'],
  ['streaming', 'unexpected-row', 'streaming', 'cancel'],
  ['streaming', 'row-closed', 'streaming', 'cancel'],
  ['streaming', 'abort', 'streaming', 'cancel'],
  ['streaming', 'answered', 'answered'],

  ['answered', 'overdue', 'answered'],
  ['answered', 'split', 'answered'],
  ['answered', 'stream', 'answered'],
  ['answered', 'unexpected-row', 'answered'],
  ['answered', 'row-closed', 'answered'],
  ['answered', 'abort', 'answered'],
  ['answered', 'answered', 'answered'],
];

describe('the states of a batch', () => {
  it.for(TABLE)('in state %s, %s leads to %s', ([state, event, next, ...effects]) => {
    expect(batchTransition(state, event)).toEqual({ next, effects });
  });

  it('are all tested with every event', () => {
    const pairs = STATES.flatMap((state) => EVENTS.map((event) => `${state} ${event}`));
    expect(TABLE.map(([state, event]) => `${state} ${event}`)).toEqual(pairs);
  });

  it('report that a batch is slow once, when it leaves quick without a result', () => {
    for (const [state, , next, ...effects] of TABLE) {
      const becomesSlow = state === 'quick' && (next === 'slow' || next === 'streaming');
      expect(effects.includes('report-slow')).toBe(becomesSlow);
    }
  });

  it('cancel after every other effect', () => {
    for (const [, , , ...effects] of TABLE) {
      expect([-1, effects.length - 1]).toContain(effects.indexOf('cancel'));
    }
  });
});
