import { describe, expect, it } from 'vitest';
import { StateMachine, type Transition } from './state-machine.ts';

type State = 'open' | 'half' | 'shut';
type Event = 'close' | 'finish';

function transition(state: State, event: Event): Transition<State, string> {
  if (state === 'open' && event === 'close') return { next: 'half', effects: ['first', 'second'] };
  if (state === 'half' && event === 'finish') return { next: 'shut', effects: ['last'] };
  return { next: state, effects: [] };
}

function createMachine(
  run: (effect: string, machine: StateMachine<State, Event, string>) => void = () => {},
) {
  const machine: StateMachine<State, Event, string> = new StateMachine<State, Event, string>({
    initial: 'open',
    transition,
    run: (effect) => run(effect, machine),
  });
  return machine;
}

describe('send', () => {
  it('runs the effects in their order, when the state has changed', () => {
    const seen: string[] = [];
    const machine = createMachine((effect, { state }) => seen.push(`${effect} ${state}`));
    machine.send('close');
    expect(seen).toEqual(['first half', 'second half']);
  });

  it('handles an event of an effect at once', () => {
    const seen: string[] = [];
    const machine = createMachine((effect, machine) => {
      seen.push(effect);
      if (effect === 'first') machine.send('finish');
    });
    machine.send('close');
    expect(machine.state).toBe('shut');
    expect(seen).toEqual(['first', 'last', 'second']);
  });

  it('changes nothing on an event that the state does not handle', () => {
    const machine = createMachine(() => expect.unreachable());
    machine.send('finish');
    expect(machine.state).toBe('open');
  });
});

describe('waitFor', () => {
  it('resolves with the current state if it is accepted', async () => {
    await expect(createMachine().waitFor((state) => state === 'open')).resolves.toBe('open');
  });

  it('resolves with the first state that is accepted, even if another one follows in the same turn', async () => {
    const machine = createMachine();
    const reached = machine.waitFor((state) => state !== 'open');
    machine.send('close');
    machine.send('finish');
    await expect(reached).resolves.toBe('half');
  });

  it('rejects with the reason of the signal', async () => {
    const abort = new AbortController();
    const reached = createMachine().waitFor((state) => state === 'shut', abort.signal);
    abort.abort(new Error('too late'));
    await expect(reached).rejects.toThrow('too late');
    await expect(createMachine().waitFor(() => true, abort.signal)).rejects.toThrow('too late');
  });
});
