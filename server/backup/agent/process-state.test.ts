import { expect, it } from 'vitest';
import { INITIAL_PROCESS, type ProcessEvent, type ProcessState, processTransition } from './process-state.ts';

/** Returns the last state, and the effects of all events. */
function after(...events: ProcessEvent[]) {
  let state: ProcessState = INITIAL_PROCESS;
  const effects: string[] = [];
  for (const event of events) {
    const result = processTransition(state, event);
    state = result.next;
    effects.push(
      ...result.effects.map((effect) => (effect.type === 'pause' ? `pause ${effect.ms}` : effect.type)),
    );
  }
  return { kind: state.kind, effects };
}

it.each<[ProcessEvent[], string, string[]]>([
  [['start'], 'running', ['spawn']],
  [['start', 'start'], 'running', ['spawn']],
  [['start', 'close'], 'closing', ['spawn', 'request-close']],
  [['start', 'close', 'exited'], 'closed', ['spawn', 'request-close']],
  [['start', 'exited', 'close', 'elapsed'], 'closed', ['spawn', 'pause 1000']],
  [['close', 'start'], 'closed', []],
])('%j leads to %s with the effects %j', (events, kind, effects) => {
  expect(after(...events)).toEqual({ kind, effects });
});

it('starts a process that ends again, after pauses that grow up to a minute', () => {
  const ends = Array.from({ length: 8 }, (): ProcessEvent[] => ['exited', 'elapsed']).flat();
  const { kind, effects } = after('start', ...ends);
  expect(kind).toBe('running');
  const pauses = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000].map((ms) => `pause ${ms}`);
  expect(effects.filter((effect) => effect !== 'spawn')).toEqual(pauses);
  const later = after('start', ...ends, 'worked', 'exited');
  expect(later.effects.filter((effect) => effect !== 'spawn')).toEqual([...pauses, 'pause 1000']);
});
