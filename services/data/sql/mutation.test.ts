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
      'one row, and nothing of it is told',
      { ...insert, body: { id: 9, name: 'Sofa' }, after: chairs('id > 3') },
      { total: null, page: 1, inserted: null, location: null, body: null, after: [{ id: 9, name: 'Sofa' }] },
    ],
    [
      'several rows, in their order',
      { ...insert, ...shown, query: 'select=id', body: [{ id: 11 }, { id: 10 }, { id: 12 }] },
      { page: 3, body: [{ id: 11 }, { id: 10 }, { id: 12 }] },
    ],
    ['no rows', { ...insert, ...shown, body: [] }, { page: 0, body: [] }],
    [
      'no rows, with columns',
      { ...insert, ...shown, query: 'columns=id,name', body: [] },
      { page: 0, body: [] },
    ],
    ['what is neither an object nor a list', { ...insert, ...shown, body: '17' }, { page: 0, body: [] }],
    [
      'a row of defaults',
      { ...insert, relation: 'tools', ...shown, query: 'select=name,grade,fixed', body: {} },
      { page: 1, body: [{ name: 'hammer', grade: 3, fixed: 7 }] },
    ],
    [
      'two rows of defaults',
      { ...insert, relation: 'tools', ...shown, query: 'select=name', body: [{}, {}] },
      { page: 2, body: [{ name: 'hammer' }, { name: 'hammer' }] },
    ],
    [
      'a null is no default',
      { ...insert, ...shown, query: 'select=wood', body: { id: 9, wood: null } },
      { body: [{ wood: null }] },
    ],
    [
      'nothing said is the default',
      { ...insert, ...shown, query: 'select=wood', body: { id: 9 } },
      { body: [{ wood: 'oak' }] },
    ],
    [
      'only the columns of the parameter, the others of them are null',
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
      'a key twice: the last counts',
      { ...insert, ...shown, query: 'select=name', body: '{"id": 9, "name": "a", "name": "b"}' },
      { body: [{ name: 'b' }] },
    ],
    [
      'names with quotes and backslashes',
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
      'filters, limit and offset say nothing',
      { ...insert, ...shown, query: 'select=id&id=eq.1&or=(id.eq.2)&limit=0&offset=1', body: { id: 9 } },
      { page: 1, body: [{ id: 9 }] },
    ],
    [
      'an identity that is given',
      { ...insert, relation: 'tools', ...shown, query: 'select=id', body: { id: 900 } },
      { body: [{ id: 900 }] },
    ],
    [
      'tables whose names mean something in the statement',
      { ...insert, relation: 'pgrst_body', ...shown, body: { id: 2, name: 'two' } },
      { body: [{ id: 2, name: 'two' }] },
    ],
  ]);
  refuse([
    ['a row that is there', { ...insert, body: { id: 1 } }, '23505'],
    ['a key that is given and made', { ...insert, relation: 'always', body: { id: 1 } }, '428C9'],
    ['a column that is made', { ...insert, relation: 'tools', body: { double_name: 'x' } }, '428C9'],
    ['null where there must be a value', { ...insert, body: { id: null } }, '23502'],
    ['a value that is none of the type', { ...insert, body: { id: 'x' } }, '22P02'],
    ['a label that the type does not have', { ...insert, body: { id: 9, wood: 'fir' } }, '22P02'],
    ['a text that is too long', { ...insert, body: { id: 9, code: 'toolong' } }, '22001'],
    ['a domain that does not hold', { ...insert, relation: 'tools', body: { grade: 6 } }, '23514'],
    ['a reference to nothing', { ...insert, body: { id: 9, maker_id: 9 } }, '23503'],
    ['a number that is too big', { ...insert, body: '{"id": 99999999999}' }, '22003'],
    ['a character that texts cannot have', { ...insert, body: '{"id": 9, "name": "\\u0000"}' }, '22P05'],
    ['a view that cannot be written to', { ...insert, relation: 'joined', body: { chair_id: 9 } }, '55000'],
    [
      'a column that nothing shows',
      { ...insert, ...shown, query: 'select=nothing', body: { id: 9 } },
      '42703',
    ],
  ]);
});

describe('update', () => {
  const update = { kind: 'update', relation: 'chairs' } as const;
  check([
    [
      'rows that are picked',
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
      'all rows, without conditions',
      { ...update, body: { name: 'Seat' }, after: "select bool_and(name = 'Seat') from studio.chairs" },
      { page: 3, after: true },
    ],
    [
      'logic',
      {
        ...update,
        ...shown,
        query: 'or=(id.eq.1,and(id.gt.2,name.like.B*))&select=id&order=id',
        body: { name: 'x' },
      },
      { body: [{ id: 1 }, { id: 3 }] },
    ],
    ['a computed field picks', { ...update, query: 'shout=eq.STOOL', body: { name: 'x' } }, { page: 1 }],
    ['no row', { ...update, ...shown, query: 'id=eq.99', body: { name: 'x' } }, { page: 0, body: [] }],
    ['an empty object', { ...update, ...shown, body: {} }, { page: 0, body: [] }],
    ['an empty list', { ...update, ...shown, body: [] }, { page: 0, body: [] }],
    ['a list of empty objects', { ...update, ...shown, body: [{}, {}] }, { page: 0, body: [] }],
    [
      'an empty object, and nothing is shown',
      { ...update, query: 'select=id', body: {} },
      { page: 0, body: null },
    ],
    [
      'an empty object, and what is shown is said',
      { ...update, ...shown, query: 'select=id,shout,makers(name),siblings(id)&order=name', body: {} },
      { page: 0, body: [] },
    ],
    [
      'a list without rows, with columns',
      { ...update, ...shown, query: 'columns=name', body: [] },
      { page: 0, body: [] },
    ],
    [
      'a list of one',
      { ...update, ...shown, query: 'id=eq.1&select=name', body: [{ name: 'x' }] },
      { body: [{ name: 'x' }] },
    ],
    [
      'keys that the parameter does not name',
      {
        ...update,
        ...shown,
        query: 'id=eq.1&columns=name&select=name,wood',
        body: { name: 'x', wood: 'elm', other: 1 },
      },
      { body: [{ name: 'x', wood: 'oak' }] },
    ],
    [
      'columns of the parameter that are absent',
      { ...update, ...shown, query: 'id=eq.1&columns=name,wood&select=name,wood', body: { name: 'x' } },
      { body: [{ name: 'x', wood: null }] },
    ],
    [
      'limit and offset say nothing',
      { ...update, ...shown, query: 'select=id&limit=1&offset=1', body: { name: 'x' } },
      { page: 3, body: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    ],
    [
      'a key of a partition',
      { ...update, relation: 'sales', ...shown, query: 'price=eq.10', body: { year: 2026, id: 2 } },
      { body: [{ id: 2, year: 2026, price: 10 }] },
    ],
    [
      'a table that is called like the body',
      { ...update, relation: 'pgrst_body', ...shown, query: 'id=eq.1', body: { name: 'x' } },
      { body: [{ id: 1, name: 'x' }] },
    ],
  ]);
  refuse([
    // As in PostgREST, an embed cannot be a condition of a write, so the name refers to a column.
    [
      'an embed as condition',
      { ...update, query: 'select=id,makers()&makers=is.null', body: { name: 'x' } },
      '42703',
    ],
    ['a column that is not there', { ...update, query: 'nothing=eq.1', body: { name: 'x' } }, '42703'],
    ['a value of another type', { ...update, query: 'id=eq.x', body: { name: 'x' } }, '22P02'],
  ]);
});

describe('delete', () => {
  const remove = { kind: 'delete', relation: 'repairs' } as const;
  check([
    [
      'rows that are picked',
      { ...remove, query: 'chair_id=eq.2', after: 'select count(*)::int from studio.repairs' },
      { page: 2, body: null, after: 1 },
    ],
    ['all rows', { ...remove, after: 'select count(*)::int from studio.repairs' }, { page: 3, after: 0 }],
    ['no row', { ...remove, ...shown, query: 'id=eq.99' }, { page: 0, body: [] }],
    [
      'and shows what was there, with what it belongs to',
      { ...remove, ...shown, query: 'select=what,chairs(name)&id=eq.3' },
      { body: [{ what: 'seat', chairs: { name: 'Throne' } }] },
    ],
    ['limit and offset say nothing', { ...remove, query: 'limit=1&offset=1' }, { page: 3 }],
  ]);
});
