import { describe, expect, it } from 'vitest';
import { nextRunState, type RunEvent, type RunState } from './run-state.ts';

const origin = { sql: 'select 1', offset: 0, mode: 'run' } as const;
const start = { type: 'start', id: 'a', origin, now: 5 } as const;
const ending = { kind: 'refused', code: 'x', message: 'y' } as const;

const after = (...events: RunEvent[]): RunState => events.reduce(nextRunState, { kind: 'idle' });

describe('nextRunState', () => {
  it('ends with the answer of the server', () => {
    expect(after(start, { type: 'answer', answer: { state: 'finished', id: 'a', ending } })).toEqual({
      kind: 'ended',
      id: 'a',
      origin,
      ending,
    });
  });

  it('goes on while the server does not respond, and when it responds again', () => {
    const lost = after(start, { type: 'disconnect', id: 'a' });
    expect(lost).toMatchObject({ kind: 'running', isDisconnected: true });
    const answer = { type: 'answer', answer: { state: 'running', id: 'a' } } as const;
    expect(nextRunState(lost, answer)).toMatchObject({ kind: 'running', isDisconnected: false });
  });

  it('is lost after three answers in sequence that do not find it', () => {
    const missed = { type: 'answer', answer: { state: 'lost', id: 'a' } } as const;
    const found = { type: 'answer', answer: { state: 'running', id: 'a' } } as const;
    expect(after(start, missed, missed, found, missed, missed).kind).toBe('running');
    expect(after(start, missed, missed, missed)).toMatchObject({ kind: 'unknown', problem: 'lost' });
  });

  it('ignores events of earlier runs', () => {
    const second = after(start, { ...start, id: 'b' });
    expect(nextRunState(second, { type: 'answer', answer: { state: 'finished', id: 'a', ending } })).toBe(
      second,
    );
    expect(nextRunState(second, { type: 'fail', id: 'a', problem: 'offline' })).toBe(second);
  });

  it('shows that it is being cancelled until it ends', () => {
    const cancelling = after(start, { type: 'cancel', id: 'a' });
    expect(cancelling).toMatchObject({ kind: 'running', isCancelling: true });
    const refused = { type: 'refuse', id: 'a', code: 'statement_cancelled', message: '' } as const;
    expect(nextRunState(cancelling, refused)).toMatchObject({ kind: 'ended' });
  });

  it('keeps the reason for which there is no result', () => {
    expect(after(start, { type: 'fail', id: 'a', problem: 'session' })).toMatchObject({ problem: 'session' });
    expect(after(start, { type: 'answer', answer: { state: 'gone', id: 'a' } })).toMatchObject({
      problem: 'gone',
    });
  });
});
