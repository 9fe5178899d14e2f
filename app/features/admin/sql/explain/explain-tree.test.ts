import { describe, expect, it } from 'vitest';
import { nodesOf, parsePlan } from './explain-tree.ts';

const planOf = (plan: object, more: object = {}) => parsePlan(JSON.stringify([{ Plan: plan, ...more }]));

const scan = (fields: object = {}) => ({
  'Node Type': 'Seq Scan',
  'Relation Name': 'notes',
  Schema: 'public',
  Alias: 'n',
  'Total Cost': 40,
  'Plan Rows': 10,
  ...fields,
});

describe('parsePlan', () => {
  it('returns the own cost of each node, and marks the costliest', () => {
    const plan = planOf({
      'Node Type': 'Sort',
      'Total Cost': 50,
      'Plan Rows': 10,
      'Sort Key': ['n.id', 'n.body'],
      Plans: [scan({ Filter: '(id > 1)' })],
    });
    const nodes = plan ? nodesOf(plan.root) : [];
    expect(
      nodes.map(({ key, type, subject, ownCost, share, mark }) => [key, type, subject, ownCost, share, mark]),
    ).toEqual([
      ['0', 'Sort', undefined, 10, 0.2, undefined],
      ['0.0', 'Seq Scan', 'notes n', 40, 0.8, 'costliest'],
    ]);
    expect(nodes.map(({ details }) => details)).toEqual([
      [{ name: 'Sort Key', text: 'n.id, n.body' }],
      [{ name: 'Filter', text: '(id > 1)' }],
    ]);
  });

  it('marks one node as the costliest, and others with a large part as costly', () => {
    const plan = planOf({
      'Node Type': 'Append',
      'Total Cost': 100,
      'Plan Rows': 10,
      Plans: [scan({ 'Total Cost': 45 }), scan({ 'Total Cost': 45 }), scan({ 'Total Cost': 5 })],
    });
    expect(plan && nodesOf(plan.root).map(({ mark }) => mark)).toEqual([
      undefined,
      'costliest',
      'costly',
      undefined,
    ]);
  });

  it('multiplies times by loops, and subtracts those of the children', () => {
    const inner = scan({
      'Actual Total Time': 2,
      'Actual Loops': 10,
      'Actual Rows': 1,
      'Rows Removed by Filter': 3,
    });
    const outer = scan({ 'Actual Total Time': 5, 'Actual Loops': 1, 'Actual Rows': 10 });
    const plan = planOf(
      {
        'Node Type': 'Nested Loop',
        'Total Cost': 100,
        'Plan Rows': 10,
        'Actual Total Time': 30,
        'Actual Loops': 1,
        'Actual Rows': 10,
        Plans: [outer, inner],
      },
      {
        'Planning Time': 0.5,
        'Execution Time': 31,
        Triggers: [{ 'Trigger Name': 'stamp', Time: 1.5, Calls: 3 }],
      },
    );
    expect(
      plan && nodesOf(plan.root).map(({ totalMs, ownMs, removedRows }) => [totalMs, ownMs, removedRows]),
    ).toEqual([
      [30, 5, undefined],
      [5, 5, undefined],
      [20, 20, 30],
    ]);
    expect(plan).toMatchObject({
      planningMs: 0.5,
      executionMs: 31,
      triggers: [{ name: 'stamp', ms: 1.5, calls: 3 }],
    });
  });

  it('divides the loops of parallel processes by their number', () => {
    const parallel = scan({
      'Parallel Aware': true,
      'Actual Total Time': 8,
      'Actual Loops': 3,
      'Actual Rows': 5,
    });
    const plan = planOf({
      'Node Type': 'Gather',
      'Workers Launched': 2,
      'Total Cost': 100,
      'Plan Rows': 10,
      'Actual Total Time': 10,
      'Actual Loops': 1,
      'Actual Rows': 15,
      Plans: [parallel],
    });
    expect(plan && nodesOf(plan.root).map(({ type, totalMs, ownMs }) => [type, totalMs, ownMs])).toEqual([
      ['Gather', 10, 2],
      ['Parallel Seq Scan', 8, 8],
    ]);
  });

  it.each([
    [10, 5000, { factor: 500, isMore: true }],
    [5000, 10, { factor: 500, isMore: false }],
    [5000, 0, { factor: 5000, isMore: false }],
    [1, 50, undefined],
    [1000, 2000, undefined],
  ])('compares an estimate of %i with %i rows', (estimated, actual, expected) => {
    const plan = planOf(scan({ 'Plan Rows': estimated, 'Actual Rows': actual, 'Actual Loops': 1 }));
    expect(plan?.root.misestimate).toEqual(expected);
  });

  it('reports nodes that were never executed', () => {
    const plan = planOf(
      scan({ 'Actual Total Time': 0, 'Actual Loops': 0, 'Actual Rows': 0, 'Plan Rows': 500 }),
    );
    expect(plan?.root).toMatchObject({ isNeverExecuted: true, misestimate: undefined });
  });

  it.each(['', '{}', '[]', '[{}]', 'Seq Scan'])('returns undefined for %j', (json) => {
    expect(parsePlan(json)).toBeUndefined();
  });
});
