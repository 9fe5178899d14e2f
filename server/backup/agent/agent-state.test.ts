import { expect, it, vi } from 'vitest';
import { AgentState } from './agent-state.ts';

const LINEAGE = { systemId: '7', timeline: 1 };

it('a gap in the log is counted and logged, but not the beginning of a new archive', () => {
  const log = vi.fn();
  const state = new AgentState(log);
  state.report({ of: 'log', type: 'gap', lineage: LINEAGE, start: undefined, end: 10n });
  expect(state.counts.gaps).toBe(0);
  expect(log).not.toHaveBeenCalled();
  state.report({ of: 'log', type: 'gap', lineage: LINEAGE, start: 20n, end: 30n });
  expect(state.counts.gaps).toBe(1);
  expect(log).toHaveBeenCalledExactlyOnceWith({
    level: 'error',
    details: {},
    text: expect.stringContaining('removed log before it was backed up'),
  });
});
