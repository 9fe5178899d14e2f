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

describe('without the privilege to read', () => {
  const letter = { kind: 'insert', relation: 'letters', role: 'anon', body: { id: 1, text: 'x' } } as const;
  check([
    ['an insert', { ...letter, after: 'select text from studio.letters' }, { page: 1, after: 'x' }],
    ['an insert, counted', { ...letter, count: 'exact', return: 'minimal' }, { total: 1 }],
    ['what select says does not matter', { ...letter, query: 'select=id,text' }, { page: 1 }],
    ['an update of all', { ...letter, kind: 'update', body: { text: 'x' } }, { page: 0 }],
    ['an update of nothing', { ...letter, kind: 'update', body: {} }, { page: 0 }],
    ['a delete of all', { ...letter, kind: 'delete' }, { page: 0 }],
  ]);
  refuse([
    ['showing it', { ...letter, ...shown }, '42501'],
    ['showing one column', { ...letter, ...shown, query: 'select=id' }, '42501'],
    ['saying where it is', { ...letter, return: 'headers-only' }, '42501'],
    ['showing an update of nothing', { ...letter, ...shown, kind: 'update', body: {} }, '42501'],
    ['a condition', { ...letter, kind: 'delete', query: 'id=eq.1' }, '42501'],
    ['another role', { ...letter, role: 'authenticated' }, '42501'],
  ]);
});

describe('with the privilege to read some columns', () => {
  const card = {
    kind: 'update',
    relation: 'cards',
    role: 'anon',
    query: 'id=eq.1',
    body: { text: 'x' },
  } as const;
  check([
    [
      'showing these',
      { ...card, ...shown, query: 'id=eq.1&select=id,text' },
      { page: 1, body: [{ id: 1, text: 'x' }] },
    ],
    ['showing nothing', card, { page: 1, body: null }],
    [
      'writing what cannot be read',
      { ...card, body: { secret: 'x' }, after: 'select secret from studio.cards' },
      { page: 1, after: 'x' },
    ],
    [
      'saying where it is',
      { ...card, kind: 'insert', return: 'headers-only', query: 'select=text', body: { id: 2, text: 'y' } },
      { location: '["2"]' },
    ],
    [
      'a default of what cannot be read',
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
    ['showing all', { ...card, ...shown }, '42501'],
    ['showing another', { ...card, ...shown, query: 'id=eq.1&select=secret' }, '42501'],
    ['a condition on another', { ...card, query: 'secret=eq.x' }, '42501'],
    ['an order by another', { ...card, ...shown, query: 'id=eq.1&select=id&order=secret' }, '42501'],
    ['saying where all of it is', { ...card, return: 'headers-only' }, '42501'],
  ]);
});

describe('with policies', () => {
  const note = { kind: 'insert', relation: 'notes', role: 'anon' } as const;
  check([
    [
      'a row that may be read',
      { ...note, ...shown, body: { id: 9, text: 'x' } },
      { body: [{ id: 9, owner: 'anon', text: 'x' }] },
    ],
    [
      'a row that may not be read, and is not shown',
      {
        ...note,
        body: { id: 9, owner: 'authenticated', text: 'x' },
        after: 'select owner from studio.notes where id = 9',
      },
      { page: 1, after: 'authenticated' },
    ],
    [
      'an update of rows that can be seen',
      { ...note, ...shown, kind: 'update', query: 'select=id', body: { text: 'x' } },
      { page: 1, body: [{ id: 1 }] },
    ],
    [
      'an update of a row that cannot be seen',
      { ...note, ...shown, kind: 'update', query: 'id=eq.2', body: { text: 'x' } },
      { page: 0, body: [] },
    ],
    [
      'a delete of rows that can be seen',
      { ...note, ...shown, kind: 'delete', query: 'select=id' },
      { page: 1, body: [{ id: 1 }] },
    ],
    [
      'an upsert of a row that can be seen',
      { ...note, ...shown, resolution: 'merge-duplicates', body: [{ id: 1, text: 'x' }] },
      { page: 1, inserted: 0, body: [{ id: 1, owner: 'anon', text: 'x' }] },
    ],
    [
      'a duplicate that cannot be seen, ignored',
      { ...note, resolution: 'ignore-duplicates', body: [{ id: 2, text: 'x' }] },
      { page: 0 },
    ],
  ]);
  refuse([
    [
      'a row that may not be read, shown',
      { ...note, ...shown, body: { id: 9, owner: 'authenticated' } },
      '42501',
    ],
    [
      'a row that may not be read, told where it is',
      { ...note, return: 'headers-only', body: { id: 9, owner: 'authenticated' } },
      '42501',
    ],
    [
      'an update that gives a row away',
      { ...note, kind: 'update', query: 'id=eq.1', body: { owner: 'x' } },
      '42501',
    ],
    [
      'an upsert of a row that cannot be seen',
      { ...note, resolution: 'merge-duplicates', body: [{ id: 2, text: 'x' }] },
      '42501',
    ],
    [
      'a PUT of a row that cannot be seen',
      { ...note, kind: 'put', query: 'id=eq.2', body: { id: 2, text: 'x' } },
      '42501',
    ],
  ]);
});

describe('views', () => {
  const view = { relation: 'short_chairs', ...shown } as const;
  const byTrigger = { relation: 'by_trigger', ...shown } as const;
  check([
    [
      'an insert, with embeds of the table behind',
      { ...view, kind: 'insert', query: 'select=id,makers(name)', body: { id: 9, name: 'x', maker_id: 2 } },
      { body: [{ id: 9, makers: { name: 'Ben' } }] },
    ],
    [
      'an update',
      { ...view, kind: 'update', query: 'id=eq.1', body: { name: 'x' } },
      { body: [{ id: 1, name: 'x', maker_id: 1 }] },
    ],
    [
      'a delete',
      { ...view, kind: 'delete', query: 'id=eq.3&select=name' },
      { page: 1, body: [{ name: 'Bench' }] },
    ],
    [
      'an insert by a trigger',
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
      'an update by a trigger',
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
      'a delete by a trigger',
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
