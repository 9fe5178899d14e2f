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
const chairs = (condition: string) =>
  `select json_agg(row_to_json(c) order by id) from (select id, name from studio.chairs where ${condition}) c`;

describe('insert', () => {
  const insert = { kind: 'insert', relation: 'chairs' } as const;
  check([
    [
      'adds one row and returns nothing by default',
      { ...insert, body: { id: 9, name: 'Sofa' }, after: chairs('id > 3') },
      { total: null, page: 1, inserted: null, location: null, body: null, after: [{ id: 9, name: 'Sofa' }] },
    ],
    [
      'adds several rows in their order',
      { ...insert, ...shown, query: 'select=id', body: [{ id: 11 }, { id: 10 }, { id: 12 }] },
      { page: 3, body: [{ id: 11 }, { id: 10 }, { id: 12 }] },
    ],
    ['accepts an empty list', { ...insert, ...shown, body: [] }, { page: 0, body: [] }],
    [
      'accepts an empty list with columns',
      { ...insert, ...shown, query: 'columns=id,name', body: [] },
      { page: 0, body: [] },
    ],
    [
      'adds nothing for a body that is neither object nor list',
      { ...insert, ...shown, body: '17' },
      { page: 0, body: [] },
    ],
    [
      'adds a row of defaults',
      { ...insert, relation: 'tools', ...shown, query: 'select=name,grade,fixed', body: {} },
      { page: 1, body: [{ name: 'hammer', grade: 3, fixed: 7 }] },
    ],
    [
      'adds two rows of defaults',
      { ...insert, relation: 'tools', ...shown, query: 'select=name', body: [{}, {}] },
      { page: 2, body: [{ name: 'hammer' }, { name: 'hammer' }] },
    ],
    [
      'stores null instead of the default',
      { ...insert, ...shown, query: 'select=wood', body: { id: 9, wood: null } },
      { body: [{ wood: null }] },
    ],
    [
      'stores the default for an absent key',
      { ...insert, ...shown, query: 'select=wood', body: { id: 9 } },
      { body: [{ wood: 'oak' }] },
    ],
    [
      'sets only the listed columns, absent ones to null',
      {
        ...insert,
        ...shown,
        query: 'columns=id,wood&select=id,name,wood',
        body: [
          { id: 9, name: 'Sofa' },
          { id: 10, wood: 'elm', other: 1 },
        ],
      },
      {
        body: [
          { id: 9, name: null, wood: null },
          { id: 10, name: null, wood: 'elm' },
        ],
      },
    ],
    [
      'uses the last of duplicate keys',
      { ...insert, ...shown, query: 'select=name', body: '{"id": 9, "name": "a", "name": "b"}' },
      { body: [{ name: 'b' }] },
    ],
    [
      'supports names with quotes and backslashes',
      {
        kind: 'insert',
        relation: 'odd "name\' \\',
        ...shown,
        missing: 'default',
        body: [{ id: 1, 'it\'s \\ "odd"': 'x', $1: 2 }],
      },
      { body: [{ id: 1, 'it\'s \\ "odd"': 'x', $1: 2 }] },
    ],
    [
      'ignores filters, limit and offset',
      { ...insert, ...shown, query: 'select=id&id=eq.1&or=(id.eq.2)&limit=0&offset=1', body: { id: 9 } },
      { page: 1, body: [{ id: 9 }] },
    ],
    [
      'accepts a value for an identity by default',
      { ...insert, relation: 'tools', ...shown, query: 'select=id', body: { id: 900 } },
      { body: [{ id: 900 }] },
    ],
    [
      'supports a table named like a part of the statement',
      { ...insert, relation: 'pgrst_body', ...shown, body: { id: 2, name: 'two' } },
      { body: [{ id: 2, name: 'two' }] },
    ],
  ]);
  refuse([
    ['a duplicate key', { ...insert, body: { id: 1 } }, '23505'],
    [
      'a value for an identity that is always generated',
      { ...insert, relation: 'always', body: { id: 1 } },
      '428C9',
    ],
    ['a value for a generated column', { ...insert, relation: 'tools', body: { double_name: 'x' } }, '428C9'],
    ['null for a column that is not null', { ...insert, body: { id: null } }, '23502'],
    ['a value of another type', { ...insert, body: { id: 'x' } }, '22P02'],
    ['an unknown enum label', { ...insert, body: { id: 9, wood: 'fir' } }, '22P02'],
    ['a text that is too long', { ...insert, body: { id: 9, code: 'toolong' } }, '22001'],
    ['a value that violates a domain', { ...insert, relation: 'tools', body: { grade: 6 } }, '23514'],
    ['a violated foreign key', { ...insert, body: { id: 9, maker_id: 9 } }, '23503'],
    ['a number out of range', { ...insert, body: '{"id": 99999999999}' }, '22003'],
    ['a null character', { ...insert, body: '{"id": 9, "name": "\\u0000"}' }, '22P05'],
    ['a view that is not updatable', { ...insert, relation: 'joined', body: { chair_id: 9 } }, '55000'],
    [
      'an unknown column in select',
      { ...insert, ...shown, query: 'select=nothing', body: { id: 9 } },
      '42703',
    ],
  ]);
});

describe('update', () => {
  const update = { kind: 'update', relation: 'chairs' } as const;
  check([
    [
      'changes the filtered rows',
      { ...update, query: 'maker_id=eq.1&name=neq.Stool', body: { name: 'Seat' }, after: chairs('true') },
      {
        page: 1,
        body: null,
        after: [
          { id: 1, name: 'Stool' },
          { id: 2, name: 'Seat' },
          { id: 3, name: 'Bench' },
        ],
      },
    ],
    [
      'changes all rows without a filter',
      { ...update, body: { name: 'Seat' }, after: "select bool_and(name = 'Seat') from studio.chairs" },
      { page: 3, after: true },
    ],
    [
      'supports logical operators',
      {
        ...update,
        ...shown,
        query: 'or=(id.eq.1,and(id.gt.2,name.like.B*))&select=id&order=id',
        body: { name: 'x' },
      },
      { body: [{ id: 1 }, { id: 3 }] },
    ],
    ['filters by a computed field', { ...update, query: 'shout=eq.STOOL', body: { name: 'x' } }, { page: 1 }],
    [
      'changes nothing if no row matches',
      { ...update, ...shown, query: 'id=eq.99', body: { name: 'x' } },
      { page: 0, body: [] },
    ],
    ['changes nothing for an empty object', { ...update, ...shown, body: {} }, { page: 0, body: [] }],
    ['changes nothing for an empty list', { ...update, ...shown, body: [] }, { page: 0, body: [] }],
    [
      'changes nothing for a list of empty objects',
      { ...update, ...shown, body: [{}, {}] },
      { page: 0, body: [] },
    ],
    [
      'returns nothing for an empty object without representation',
      { ...update, query: 'select=id', body: {} },
      { page: 0, body: null },
    ],
    [
      'ignores select for an empty object',
      { ...update, ...shown, query: 'select=id,shout,makers(name),siblings(id)&order=name', body: {} },
      { page: 0, body: [] },
    ],
    [
      'changes nothing for an empty list with columns',
      { ...update, ...shown, query: 'columns=name', body: [] },
      { page: 0, body: [] },
    ],
    [
      'accepts a list of one object',
      { ...update, ...shown, query: 'id=eq.1&select=name', body: [{ name: 'x' }] },
      { body: [{ name: 'x' }] },
    ],
    [
      'ignores keys that are not listed columns',
      {
        ...update,
        ...shown,
        query: 'id=eq.1&columns=name&select=name,wood',
        body: { name: 'x', wood: 'elm', other: 1 },
      },
      { body: [{ name: 'x', wood: 'oak' }] },
    ],
    [
      'sets absent listed columns to null',
      { ...update, ...shown, query: 'id=eq.1&columns=name,wood&select=name,wood', body: { name: 'x' } },
      { body: [{ name: 'x', wood: null }] },
    ],
    [
      'ignores limit and offset',
      { ...update, ...shown, query: 'select=id&limit=1&offset=1', body: { name: 'x' } },
      { page: 3, body: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    ],
    [
      'moves a row to another partition',
      { ...update, relation: 'sales', ...shown, query: 'price=eq.10', body: { year: 2026, id: 2 } },
      { body: [{ id: 2, year: 2026, price: 10 }] },
    ],
    [
      'supports a table named like the body',
      { ...update, relation: 'pgrst_body', ...shown, query: 'id=eq.1', body: { name: 'x' } },
      { body: [{ id: 1, name: 'x' }] },
    ],
  ]);
  refuse([
    // As in PostgREST, an embed cannot be a condition of a write, so the name refers to a column.
    [
      'a filter on an embedding',
      { ...update, query: 'select=id,makers()&makers=is.null', body: { name: 'x' } },
      '42703',
    ],
    ['an unknown column', { ...update, query: 'nothing=eq.1', body: { name: 'x' } }, '42703'],
    ['a value of another type', { ...update, query: 'id=eq.x', body: { name: 'x' } }, '22P02'],
  ]);
});

describe('delete', () => {
  const remove = { kind: 'delete', relation: 'repairs' } as const;
  check([
    [
      'removes the filtered rows',
      { ...remove, query: 'chair_id=eq.2', after: 'select count(*)::int from studio.repairs' },
      { page: 2, body: null, after: 1 },
    ],
    [
      'removes all rows without a filter',
      { ...remove, after: 'select count(*)::int from studio.repairs' },
      { page: 3, after: 0 },
    ],
    ['removes nothing if no row matches', { ...remove, ...shown, query: 'id=eq.99' }, { page: 0, body: [] }],
    [
      'returns the removed row with its parent',
      { ...remove, ...shown, query: 'select=what,chairs(name)&id=eq.3' },
      { body: [{ what: 'seat', chairs: { name: 'Throne' } }] },
    ],
    ['ignores limit and offset', { ...remove, query: 'limit=1&offset=1' }, { page: 3 }],
  ]);
});
