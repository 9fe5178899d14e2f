import { describe, expect, it } from 'vitest';
import { parseRunForm } from './run-form.ts';

const ID = '00000000-0000-4000-8000-000000000001';

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ id: ID, sql: 'select 1', ...fields })) form.set(name, value);
  return form;
}

describe('parseRunForm', () => {
  it('completes a form with only SQL', () => {
    expect(parseRunForm(formOf({}))).toEqual({
      id: ID,
      sql: 'select 1',
      mode: 'run',
      role: 'postgres',
      claims: null,
      isReadOnly: false,
      writesMigration: false,
      timeoutMs: 30_000,
      maxRows: 1000,
    });
  });

  it('returns all options', () => {
    const fields = {
      mode: 'analyze',
      role: 'anon',
      claims: '{"sub":"x"}',
      'read-only': 'on',
      migration: 'on',
      timeout: '5',
      rows: '10',
    };
    expect(parseRunForm(formOf(fields))).toMatchObject({
      mode: 'analyze',
      role: 'anon',
      claims: { sub: 'x' },
      isReadOnly: true,
      writesMigration: true,
      timeoutMs: 5000,
      maxRows: 10,
    });
  });

  it.each([
    ['SQL without text', { sql: ' \n' }, 'empty'],
    ['claims that are no JSON', { claims: '{' }, 'claims'],
    ['claims that are a list', { claims: '[]' }, 'claims'],
    ['another role', { role: 'greenroom_meta' }, 'form'],
    ['another mode', { mode: 'drop' }, 'form'],
    ['no id', { id: '' }, 'form'],
    ['a zero byte', { sql: 'select \0' }, 'form'],
    ['a timeout that is too long', { timeout: '3601' }, 'form'],
    ['a negative number of rows', { rows: '-1' }, 'form'],
  ])('rejects %s', (_, fields, problem) => {
    expect(parseRunForm(formOf(fields))).toBe(problem);
  });
});
