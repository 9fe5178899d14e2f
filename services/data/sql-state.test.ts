import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { isSqlError, raisedStatus, statusOfSqlError } from './sql-state.ts';

const sqlError = (code: string, message = '') =>
  Object.assign(new Error(message), { code, severity: 'ERROR' });

describe('statusOfSqlError', () => {
  it.each([
    ['08006', 503],
    ['09000', 500],
    ['0L000', 403],
    ['0P000', 403],
    ['22P02', 400],
    ['22023', 400],
    ['23502', 400],
    ['23503', 409],
    ['23505', 409],
    ['23514', 400],
    ['25006', 405],
    ['25P02', 500],
    ['28000', 403],
    ['2D000', 500],
    ['38000', 500],
    ['39000', 500],
    ['3B000', 500],
    ['40001', 500],
    ['42703', 400],
    ['42883', 404],
    ['42P01', 404],
    ['42P10', 400],
    ['42P17', 500],
    ['53200', 503],
    ['53300', 503],
    ['53400', 500],
    ['54001', 500],
    ['55006', 500],
    ['57014', 500],
    ['57P01', 503],
    ['58000', 500],
    ['F0000', 500],
    ['HV000', 500],
    ['P0001', 400],
    ['P0002', 500],
    ['XX000', 500],
    ['ZZ123', 400],
    ['PT402', 402],
    ['PT503', 503],
    ['PT100', 500],
    ['PT600', 500],
    ['PTABC', 500],
  ])('maps %s to %d', (code, status) => {
    expect(statusOfSqlError(sqlError(code), false)).toBe(status);
  });

  it.each([
    ['21000', 'more than one row returned by a subquery used as an expression', 500],
    ['21000', 'UPDATE requires a WHERE clause', 400],
    ['22023', 'role "nobody" does not exist', 401],
    ['22023', 'time zone "x" not recognized', 400],
    ['42883', 'function xmlagg(xml) does not exist', 406],
  ])('maps %s by its message: %s', (code, message, status) => {
    expect(statusOfSqlError(sqlError(code, message), false)).toBe(status);
  });

  it('maps a missing privilege of the anonymous role to 401', () => {
    expect(statusOfSqlError(sqlError('42501'), true)).toBe(401);
    expect(statusOfSqlError(sqlError('42501'), false)).toBe(403);
  });
});

describe('isSqlError', () => {
  it.each([
    ['an error of PostgreSQL', sqlError('42P01'), true],
    [
      'an error of the operating system',
      Object.assign(new Error(), { code: 'ECONNREFUSED', severity: 'x' }),
      false,
    ],
    ['another error', new Error('x'), false],
    ['an object that is not an error', { code: '42P01', severity: 'ERROR' }, false],
  ])('returns for %s: $2', (_, error, isSql) => {
    expect(isSqlError(error)).toBe(isSql);
  });
});

it.each([
  ['PT200', 200],
  ['PT599', 599],
  ['PT199', undefined],
  ['PT6000', undefined],
  ['42P01', undefined],
])('raisedStatus(%s) is %s', (code, status) => {
  expect(raisedStatus(code)).toBe(status);
});

describe('the reference page', async () => {
  const page = await readFile(new URL('../../docs/reference/data.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Errors of PostgreSQL');
  const rows = [...section.matchAll(/^\| ([0-9A-Z…, ]+) \| (\d{3})\b/gm)].flatMap(([, states = '', status]) =>
    states.split(', ').map((state) => [state, Number(status)] as const),
  );

  it('has a table of states', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows)('documents %s as %d', (state, status) => {
    expect(statusOfSqlError(sqlError(state.replace('…', '000')), false)).toBe(status);
  });
});
