import { describe, expect, it } from 'vitest';
import { StateMachine, type Transition } from './state-machine.ts';

type State = 'open' | 'half' | 'shut';
type Event = 'close' | 'finish';

function transition(state: State, event: Event): Transition<State, string> {
  if (state === 'open' && event === 'close') return { next: 'half', effects: ['first', 'second'] };
  if (state === 'half' && event === 'finish') return { next: 'shut', effects: ['last'] };
  return { next: state, effects: [] };
}

function createDoor(run: (effect: string, door: StateMachine<State, Event, string>) => void = () => {}) {
  const door: StateMachine<State, Event, string> = new StateMachine<State, Event, string>({
    initial: 'open',
    transition,
    run: (effect) => run(effect, door),
  });
  return door;
}

describe('send', () => {
  it('runs the effects in their order, when the state has changed', () => {
    const seen: string[] = [];
    const door = createDoor((effect, { state }) => seen.push(`${effect} ${state}`));
    door.send('close');
    expect(seen).toEqual(['first half', 'second half']);
  });

  it('handles an event of an effect at once', () => {
    const seen: string[] = [];
    const door = createDoor((effect, machine) => {
      seen.push(effect);
      if (effect === 'first') machine.send('finish');
    });
    door.send('close');
    expect(door.state).toBe('shut');
    expect(seen).toEqual(['first', 'last', 'second']);
  });

  it('changes nothing on an event that the state does not handle', () => {
    const door = createDoor(() => expect.unreachable());
    door.send('finish');
    expect(door.state).toBe('open');
  });
});

describe('until', () => {
  it('resolves with the current state if it is accepted', async () => {
    await expect(createDoor().until((state) => state === 'open')).resolves.toBe('open');
  });

  it('resolves with the first state that is accepted, even if another one follows in the same turn', async () => {
    const door = createDoor();
    const reached = door.until((state) => state !== 'open');
    door.send('close');
    door.send('finish');
    await expect(reached).resolves.toBe('half');
  });

  it('rejects with the reason of the signal', async () => {
    const abort = new AbortController();
    const reached = createDoor().until((state) => state === 'shut', abort.signal);
    abort.abort(new Error('too late'));
    await expect(reached).rejects.toThrow('too late');
    await expect(createDoor().until(() => true, abort.signal)).rejects.toThrow('too late');
  });
});
