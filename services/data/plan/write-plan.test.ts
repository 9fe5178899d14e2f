import { CatalogueError } from '@greenroom/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../query/parse-query.ts';
import { keyOf } from '../schema-cache/schema-cache.ts';
import { type TestWrite, Writes } from '../sql/testing/writes.ts';
import { slotsOf } from './slots.ts';
import { planWrite, requireWritten, type WritePlan } from './write-plan.ts';

let writes: Writes;
beforeAll(async () => {
  writes = await Writes.open();
});
afterAll(() => writes.close());

function plan(write: TestWrite): WritePlan {
  return writes.plan(write).plan;
}

function refusal(act: () => unknown): CatalogueError {
  try {
    act();
  } catch (error) {
    if (error instanceof CatalogueError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const TWO = { a: 1, b: 2, note: 'x' };

describe('planWrite with an invalid request', () => {
  it.each<[write: TestWrite, status: number, code: string]>([
    [{ kind: 'insert', relation: 'chairs', body: { id: 1, nothing: 2 } }, 400, 'PGRST204'],
    [{ kind: 'insert', relation: 'chairs', body: [{ shout: 'X' }] }, 400, 'PGRST204'],
    [{ kind: 'insert', relation: 'chairs', query: 'columns=id,nothing', body: { id: 1 } }, 400, 'PGRST204'],
    [{ kind: 'insert', relation: 'chairs', query: 'columns=nothing', body: [] }, 400, 'PGRST204'],
    [{ kind: 'update', relation: 'chairs', body: { Name: 'x' } }, 400, 'PGRST204'],
    [{ kind: 'update', relation: 'chairs', query: 'columns=nothing', body: {} }, 400, 'PGRST204'],
    [{ kind: 'put', relation: 'chairs', query: 'id=eq.1', body: { id: 1, nothing: 1 } }, 400, 'PGRST204'],
    [{ kind: 'put', relation: 'two_keys', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=eq.2&note=eq.x', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&note=eq.2', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=gt.2', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=not.eq.2', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=eq(any).{2}', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=in.(2)', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=is.null', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b->x=eq.2', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'and=(a.eq.1,b.eq.2)', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=eq.2&or=(a.eq.1)', body: TWO }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'no_key', query: 'a=eq.1', body: { a: 1 } }, 405, 'PGRST105'],
    [{ kind: 'put', relation: 'no_key', body: { a: 1 } }, 405, 'PGRST105'],
    [
      { kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=eq.2', body: { a: 1, note: 'x' } },
      400,
      'PGRST115',
    ],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=eq.2', body: {} }, 400, 'PGRST115'],
    [{ kind: 'put', relation: 'two_keys', query: 'a=eq.1&b=eq.2', body: [] }, 400, 'PGRST115'],
    // The read of the response is planned separately.
    [{ kind: 'insert', relation: 'chairs', query: 'select=nothing(id)' }, 400, 'PGRST200'],
    [{ kind: 'update', relation: 'chairs', query: 'makers.name=eq.Ada' }, 400, 'PGRST108'],
    [{ kind: 'insert', relation: 'chairs', query: 'select=id.max()' }, 400, 'PGRST123'],
  ])('rejects %j with %d %s', (write, status, code) => {
    const error = refusal(() => plan(write));
    expect([error.status, error.code]).toEqual([status, code]);
  });

  it('names the unknown column', () => {
    const { message } = refusal(() => plan({ kind: 'insert', relation: 'chairs', body: { nothing: 1 } }));
    expect(message).toBe("Could not find the 'nothing' column of 'chairs' in the schema cache");
  });

  it('requires exactly one row only of a PUT', () => {
    const put = plan({ kind: 'put', relation: 'only_key', query: 'id=eq.1', body: { id: 1 } });
    expect(() => requireWritten(put, 1)).not.toThrow();
    for (const rows of [0, 2]) {
      expect(refusal(() => requireWritten(put, rows))).toMatchObject({ status: 400, code: 'PGRST115' });
    }
    expect(() => requireWritten(plan({ kind: 'delete', relation: 'only_key' }), 0)).not.toThrow();
  });
});

describe('the columns of a write', () => {
  it.each<[name: string, write: TestWrite, columns: object[]]>([
    [
      'have the types of the table',
      { kind: 'insert', relation: 'chairs', body: { price: 1, wood: 'oak', tags: [], code: 'x' } },
      [
        { name: 'price', type: 'numeric(8,2)' },
        { name: 'wood', type: 'studio.wood' },
        { name: 'tags', type: 'text[]' },
        { name: 'code', type: 'character(3)' },
      ],
    ],
    [
      'are those of the parameter columns',
      { kind: 'insert', relation: 'chairs', query: 'columns=name', body: { id: 1 } },
      [{ name: 'name', type: 'text' }],
    ],
    [
      'have the parse function of a domain representation',
      { kind: 'update', relation: 'paints', body: { colour: '#ff' } },
      [{ name: 'colour', type: 'studio.colour', parse: { schema: 'studio', name: 'colour' } }],
    ],
    [
      'have defaults with missing=default',
      { kind: 'insert', relation: 'tools', missing: 'default', body: { name: 'x', nothing: 1 } },
      [
        { name: 'name', type: 'text', default: "'hammer'::text" },
        { name: 'nothing', type: 'integer' },
      ],
    ],
    [
      'have defaults in an update with missing=default',
      { kind: 'update', relation: 'tools', missing: 'default', body: { fixed: 1 } },
      [{ name: 'fixed', type: 'integer', default: '7' }],
    ],
    [
      'have no defaults with missing=null',
      { kind: 'insert', relation: 'tools', missing: 'null', body: { fixed: 1 } },
      [{ name: 'fixed', type: 'integer' }],
    ],
    [
      'have no defaults in a PUT',
      { kind: 'put', relation: 'tools', missing: 'default', query: 'id=eq.1', body: { id: 1, fixed: 1 } },
      [
        { name: 'id', type: 'integer' },
        { name: 'fixed', type: 'integer' },
      ],
    ],
    ['are empty for an empty object', { kind: 'insert', relation: 'tools', body: {} }, []],
  ])('%s', (_, write, columns) => {
    const planned = plan(write).body.columns.map(({ isDomain: _, ...column }) => column);
    expect(planned).toEqual(columns);
  });

  it('are in the slot after limit and offset', () => {
    const { body } = plan({ kind: 'update', relation: 'chairs', query: 'id=eq.1&name=in.(a,b)', body: [] });
    expect(body).toMatchObject({ slot: 4, isArray: true });
  });

  it('are empty for a delete', () => {
    expect(plan({ kind: 'delete', relation: 'chairs', query: 'id=eq.1' }).body.columns).toEqual([]);
  });
});

it('planWrite throws for an insert or update without a body', () => {
  const relation = writes.cache.relations.get(keyOf({ schema: 'studio', name: 'chairs' }));
  if (relation === undefined) throw new Error('no relation');
  const query = parseQuery('');
  const preferences = { resolution: undefined, missing: undefined, return: undefined };
  for (const kind of ['insert', 'update'] as const) {
    const request = { kind, relation, query, body: undefined, preferences };
    expect(() => planWrite(request, writes.cache, slotsOf(query))).toThrow('a body is required');
  }
});

describe('the resolution of duplicates', () => {
  it.each<[write: TestWrite, arbiter: string[], resolution: WritePlan['resolution']]>([
    [{ kind: 'insert', relation: 'two_keys' }, [], undefined],
    [{ kind: 'insert', relation: 'two_keys', query: 'on_conflict=note' }, [], undefined],
    [
      { kind: 'insert', relation: 'two_keys', resolution: 'merge-duplicates' },
      ['a', 'b'],
      'merge-duplicates',
    ],
    [
      { kind: 'insert', relation: 'key_view', resolution: 'ignore-duplicates' },
      ['a', 'b'],
      'ignore-duplicates',
    ],
    [
      { kind: 'insert', relation: 'no_key', resolution: 'merge-duplicates', query: 'on_conflict=a' },
      ['a'],
      'merge-duplicates',
    ],
    [{ kind: 'insert', relation: 'no_key', resolution: 'merge-duplicates' }, [], 'merge-duplicates'],
    [{ kind: 'update', relation: 'two_keys', resolution: 'merge-duplicates' }, [], undefined],
    [{ kind: 'delete', relation: 'two_keys', resolution: 'merge-duplicates' }, [], undefined],
    [
      { kind: 'put', relation: 'only_key', query: 'id=eq.1&on_conflict=other', body: { id: 1 } },
      ['id'],
      'merge-duplicates',
    ],
    [
      {
        kind: 'put',
        relation: 'only_key',
        query: 'id=eq.1',
        body: { id: 1 },
        resolution: 'ignore-duplicates',
      },
      ['id'],
      'merge-duplicates',
    ],
  ])('of %j has the conflict columns %j and is %s', (write, arbiter, resolution) => {
    expect(plan(write)).toMatchObject({ arbiter, resolution });
  });
});

describe('the conditions of a write', () => {
  it.each<[write: TestWrite, count: number]>([
    [{ kind: 'insert', relation: 'chairs', query: 'id=eq.1&or=(id.eq.1)' }, 0],
    [{ kind: 'update', relation: 'chairs', query: 'id=eq.1&or=(id.eq.1)' }, 2],
    [{ kind: 'delete', relation: 'chairs', query: 'id=eq.1&id=eq.2&not.or=(id.eq.1)' }, 3],
    [
      {
        kind: 'delete',
        relation: 'chairs',
        query: 'select=makers(id),repairs(id)&makers.id=eq.1&repairs.or=(id.eq.1)&id=eq.1',
      },
      1,
    ],
    [{ kind: 'put', relation: 'only_key', query: 'id=eq.1', body: { id: 1 } }, 1],
  ])('of %j are %d', (write, count) => {
    expect(plan(write).conditions).toHaveLength(count);
  });
});

it('planWrite returns equal plans for requests of equal shape', () => {
  const write = { kind: 'update', relation: 'chairs' } as const;
  expect(plan({ ...write, query: 'id=eq.1', body: { name: 'a' } })).toEqual(
    plan({ ...write, query: 'id=eq.2', body: { name: 'b' } }),
  );
});
