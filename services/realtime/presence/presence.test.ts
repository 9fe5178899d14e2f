import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffJson, metaJson, type Presence, PresenceState } from './presence.ts';

const presence = (key: string, ref: string, payload: Record<string, unknown> = {}): Presence => ({
  key,
  ref,
  meta: metaJson(payload, ref),
});

describe('PresenceState', () => {
  it('collects the metas of presences with the same key', () => {
    const state = new PresenceState();
    state.apply({ joins: [presence('ada', '1', { tab: 1 }), presence('bob', '2')], leaves: [] });
    state.apply({ joins: [presence('ada', '3')], leaves: [] });
    expect(JSON.parse(state.toJson())).toEqual({
      ada: { metas: [{ phx_ref: '1', tab: 1 }, { phx_ref: '3' }] },
      bob: { metas: [{ phx_ref: '2' }] },
    });
    state.apply({ joins: [], leaves: [presence('ada', '1'), presence('bob', '2'), presence('eve', '9')] });
    expect(JSON.parse(state.toJson())).toEqual({ ada: { metas: [{ phx_ref: '3' }] } });
    state.apply({ joins: [], leaves: [presence('ada', '3')] });
    expect([state.toJson(), state.isEmpty]).toEqual(['{}', true]);
  });

  it('accepts any key, also `__proto__`', () => {
    const state = new PresenceState();
    const names = ['__proto__', 'constructor', '', '"', 'toString'];
    state.apply({ joins: names.map((name, index) => presence(name, String(index))), leaves: [] });
    for (const [index, name] of names.entries()) {
      expect(state.toJson()).toContain(`${JSON.stringify(name)}:{"metas":[{"phx_ref":"${index}"}]}`);
    }
    state.apply({ joins: [], leaves: names.map((name, index) => presence(name, String(index))) });
    expect(state.isEmpty).toBe(true);
  });

  it('equals the state that a client computes from states and diffs, for random changes', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', '__proto__'),
      ref: fc.nat(5),
      joins: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const state = new PresenceState();
        const expected = new Map<string, string>();
        for (const { key, ref, joins } of steps) {
          const one = presence(key, `${key}${ref}`);
          state.apply({ joins: joins ? [one] : [], leaves: joins ? [] : [one] });
          if (joins) expected.set(one.ref, key);
          else expected.delete(one.ref);
        }
        const presences = Object.entries(
          JSON.parse(state.toJson()) as Record<string, { metas: { phx_ref: string }[] }>,
        );
        const refs = presences.flatMap(([key, { metas }]) => metas.map(({ phx_ref: ref }) => [ref, key]));
        expect(refs.toSorted()).toEqual([...expected].toSorted());
        expect(state.isEmpty).toBe(expected.size === 0);
      }),
    );
  });
});

it('a diff always has joins and leaves', () => {
  expect(diffJson({ joins: [], leaves: [] })).toBe('{"joins":{},"leaves":{}}');
  const diff = {
    joins: [presence('a', '2')],
    leaves: [presence('a', '1'), presence('b', '3'), presence('a', '4')],
  };
  expect(JSON.parse(diffJson(diff))).toEqual({
    joins: { a: { metas: [{ phx_ref: '2' }] } },
    leaves: { a: { metas: [{ phx_ref: '1' }, { phx_ref: '4' }] }, b: { metas: [{ phx_ref: '3' }] } },
  });
});

it.each([
  [{ a: 1 }, undefined, '{"phx_ref":"r","a":1}'],
  [{ a: 1 }, 'q', '{"phx_ref":"r","phx_ref_prev":"q","a":1}'],
  [{ phx_ref: 'forged', phx_ref_prev: 'forged', a: 1 }, undefined, '{"phx_ref":"r","a":1}'],
  [JSON.parse('{"__proto__":{"b":1}}'), undefined, '{"phx_ref":"r","__proto__":{"b":1}}'],
])('the meta of %j begins with its ref', (payload, previous, expected) => {
  expect(metaJson(payload, 'r', previous)).toBe(expected);
});
