/** Privileges, policies and views. PostgreSQL enforces them; a statement must not require more privileges than necessary. */
import { afterAll, beforeAll, describe } from 'vitest';
import { checkWrites, type RefusedWrite, refuseWrites, type WriteScenario } from './testing/scenarios.ts';
import { Writes } from './testing/writes.ts';

let writes: Writes;
beforeAll(async () => {
  writes = await Writes.open();
});
afterAll(() => writes.close());

function check(scenarios: readonly WriteScenario[]) {
  checkWrites(() => writes, scenarios);
}

function refuse(refusals: readonly RefusedWrite[]) {
  refuseWrites(() => writes, refusals);
}

const shown = { return: 'representation' } as const;

describe('a write without the privilege to read', () => {
  const letter = { kind: 'insert', relation: 'letters', role: 'anon', body: { id: 1, text: 'x' } } as const;
  check([
    ['inserts a row', { ...letter, after: 'select text from studio.letters' }, { page: 1, after: 'x' }],
    ['counts an inserted row', { ...letter, count: 'exact', return: 'minimal' }, { total: 1 }],
    ['ignores select without return=representation', { ...letter, query: 'select=id,text' }, { page: 1 }],
    ['accepts an update of all rows', { ...letter, kind: 'update', body: { text: 'x' } }, { page: 0 }],
    ['accepts an update without columns', { ...letter, kind: 'update', body: {} }, { page: 0 }],
    ['accepts a delete of all rows', { ...letter, kind: 'delete' }, { page: 0 }],
  ]);
  refuse([
    ['return=representation', { ...letter, ...shown }, '42501'],
    ['return=representation with one column', { ...letter, ...shown, query: 'select=id' }, '42501'],
    ['return=headers-only', { ...letter, return: 'headers-only' }, '42501'],
    [
      'return=representation of an update without columns',
      { ...letter, ...shown, kind: 'update', body: {} },
      '42501',
    ],
    ['a filter', { ...letter, kind: 'delete', query: 'id=eq.1' }, '42501'],
    ['a role without privileges', { ...letter, role: 'authenticated' }, '42501'],
  ]);
});

describe('a write with the privilege to read some columns', () => {
  const card = {
    kind: 'update',
    relation: 'cards',
    role: 'anon',
    query: 'id=eq.1',
    body: { text: 'x' },
  } as const;
  check([
    [
      'returns the readable columns',
      { ...card, ...shown, query: 'id=eq.1&select=id,text' },
      { page: 1, body: [{ id: 1, text: 'x' }] },
    ],
    ['returns no columns', card, { page: 1, body: null }],
    [
      'updates an unreadable column',
      { ...card, body: { secret: 'x' }, after: 'select secret from studio.cards' },
      { page: 1, after: 'x' },
    ],
    [
      'returns the location from a readable key',
      { ...card, kind: 'insert', return: 'headers-only', query: 'select=text', body: { id: 2, text: 'y' } },
      { location: '["2"]' },
    ],
    [
      'inserts the default of an unreadable column',
      {
        ...card,
        kind: 'insert',
        missing: 'default',
        query: 'columns=id,secret',
        body: [{ id: 2 }],
        after: 'select secret from studio.cards where id = 2',
      },
      { page: 1, after: 'hidden' },
    ],
  ]);
  refuse([
    ['return=representation of all columns', { ...card, ...shown }, '42501'],
    [
      'return=representation of an unreadable column',
      { ...card, ...shown, query: 'id=eq.1&select=secret' },
      '42501',
    ],
    ['a filter on an unreadable column', { ...card, query: 'secret=eq.x' }, '42501'],
    [
      'an order by an unreadable column',
      { ...card, ...shown, query: 'id=eq.1&select=id&order=secret' },
      '42501',
    ],
    ['return=headers-only with an unreadable filter', { ...card, return: 'headers-only' }, '42501'],
  ]);
});

describe('a write with row-level security', () => {
  const note = { kind: 'insert', relation: 'notes', role: 'anon' } as const;
  check([
    [
      'returns an inserted row that is visible',
      { ...note, ...shown, body: { id: 9, text: 'x' } },
      { body: [{ id: 9, owner: 'anon', text: 'x' }] },
    ],
    [
      'inserts an invisible row without returning it',
      {
        ...note,
        body: { id: 9, owner: 'authenticated', text: 'x' },
        after: 'select owner from studio.notes where id = 9',
      },
      { page: 1, after: 'authenticated' },
    ],
    [
      'updates and returns the visible rows',
      { ...note, ...shown, kind: 'update', query: 'select=id', body: { text: 'x' } },
      { page: 1, body: [{ id: 1 }] },
    ],
    [
      'updates no invisible row',
      { ...note, ...shown, kind: 'update', query: 'id=eq.2', body: { text: 'x' } },
      { page: 0, body: [] },
    ],
    [
      'deletes and returns the visible rows',
      { ...note, ...shown, kind: 'delete', query: 'select=id' },
      { page: 1, body: [{ id: 1 }] },
    ],
    [
      'merges a duplicate of a visible row',
      { ...note, ...shown, resolution: 'merge-duplicates', body: [{ id: 1, text: 'x' }] },
      { page: 1, inserted: 0, body: [{ id: 1, owner: 'anon', text: 'x' }] },
    ],
    [
      'ignores a duplicate of an invisible row',
      { ...note, resolution: 'ignore-duplicates', body: [{ id: 2, text: 'x' }] },
      { page: 0 },
    ],
  ]);
  refuse([
    [
      'return=representation of an invisible row',
      { ...note, ...shown, body: { id: 9, owner: 'authenticated' } },
      '42501',
    ],
    [
      'return=headers-only of an invisible row',
      { ...note, return: 'headers-only', body: { id: 9, owner: 'authenticated' } },
      '42501',
    ],
    [
      'an update that makes a row invisible',
      { ...note, kind: 'update', query: 'id=eq.1', body: { owner: 'x' } },
      '42501',
    ],
    [
      'an upsert of an invisible row',
      { ...note, resolution: 'merge-duplicates', body: [{ id: 2, text: 'x' }] },
      '42501',
    ],
    [
      'a PUT of an invisible row',
      { ...note, kind: 'put', query: 'id=eq.2', body: { id: 2, text: 'x' } },
      '42501',
    ],
  ]);
});

describe('a write to a view', () => {
  const view = { relation: 'short_chairs', ...shown } as const;
  const byTrigger = { relation: 'by_trigger', ...shown } as const;
  check([
    [
      'inserts a row and returns embedded rows of the table',
      { ...view, kind: 'insert', query: 'select=id,makers(name)', body: { id: 9, name: 'x', maker_id: 2 } },
      { body: [{ id: 9, makers: { name: 'Ben' } }] },
    ],
    [
      'updates a row',
      { ...view, kind: 'update', query: 'id=eq.1', body: { name: 'x' } },
      { body: [{ id: 1, name: 'x', maker_id: 1 }] },
    ],
    [
      'deletes a row',
      { ...view, kind: 'delete', query: 'id=eq.3&select=name' },
      { page: 1, body: [{ name: 'Bench' }] },
    ],
    [
      'inserts rows by a trigger',
      {
        ...byTrigger,
        kind: 'insert',
        body: [
          { id: 8, name: 'x' },
          { id: 9, name: 'y' },
        ],
        after: "select string_agg(name, ',' order by id) from studio.makers where id > 7",
      },
      {
        page: 2,
        body: [
          { id: 8, name: 'x' },
          { id: 9, name: 'y' },
        ],
        after: 'x,y',
      },
    ],
    [
      'updates a row by a trigger',
      {
        ...byTrigger,
        kind: 'update',
        query: 'id=eq.1',
        body: { name: 'x' },
        after: 'select name from studio.makers where id = 1',
      },
      { page: 1, body: [{ id: 1, name: 'x' }], after: 'x' },
    ],
    [
      'deletes a row by a trigger',
      {
        ...byTrigger,
        kind: 'delete',
        query: 'id=eq.9',
        before: "insert into studio.makers values (9, 'x')",
        after: 'select count(*)::int from studio.makers where id = 9',
      },
      { page: 1, body: [{ id: 9, name: 'X' }], after: 0 },
    ],
  ]);
});
