import { describe, expect, it } from 'vitest';
import { draftOf, mistakeOf, newDraft, newValueOf } from './draft-value.ts';
import type { ColumnKind, TableColumn } from './table-model.ts';

const column = (kind: ColumnKind, more: Partial<TableColumn> = {}): TableColumn => ({
  name: 'a',
  type: 'text',
  shownType: 'text',
  kind,
  elementType: null,
  isNullable: true,
  default: null,
  isGenerated: false,
  isIdentity: false,
  labels: [],
  isSortable: true,
  comment: null,
  ...more,
});

it('null, the empty text and the default are different values', () => {
  expect(newValueOf(draftOf(null))).toBeNull();
  expect(newValueOf(draftOf(''))).toBe('');
  expect(newValueOf(newDraft(column('text', { default: 'now()' })))).toEqual({ default: true });
  expect(newValueOf(newDraft(column('text')))).toBeNull();
  expect(newValueOf(newDraft(column('text', { isNullable: false })))).toBe('');
});

describe('mistakeOf', () => {
  it.each<[ColumnKind, Partial<TableColumn>, string]>([
    ['text', {}, ''],
    ['number', { type: 'bigint' }, '-9223372036854775808'],
    ['number', { type: 'numeric' }, '1_000.50e-3'],
    ['number', { type: 'double precision' }, '-Infinity'],
    ['number', { type: 'numeric' }, 'NaN'],
    ['boolean', {}, 'yes'],
    ['json', {}, '"text"'],
    ['json', {}, '12345678901234567890'],
    ['array', {}, '{}'],
    ['array', {}, '{"a}",{b,c}}'],
    ['array', {}, '[0:1]={1,2}'],
    ['enum', { labels: ['low', 'high'] }, 'low'],
    ['date', {}, '2026-01-31'],
    ['date', {}, 'infinity'],
    ['timestamp', {}, '2026-01-31 10:00:00.123456+00'],
    ['timestamp', {}, 'now'],
    ['uuid', {}, '00000000-0000-4000-8000-000000000000'],
    ['bytea', {}, '\\x'],
    ['bytea', {}, '\\xCAFE'],
    ['other', {}, '(1,2)'],
  ])('accepts for %s %j the text %j', (kind, more, text) => {
    expect(mistakeOf(column(kind, more), text)).toBeUndefined();
  });

  it.each<[ColumnKind, Partial<TableColumn>, string, string]>([
    ['number', { type: 'integer' }, '1.5', 'integer'],
    ['number', { type: 'numeric' }, '1,5', 'number'],
    ['number', { type: 'numeric' }, '', 'number'],
    ['boolean', {}, 'maybe', 'boolean'],
    ['json', {}, "{'a': 1}", 'json'],
    ['json', {}, '', 'json'],
    ['array', {}, '[1,2]', 'array'],
    ['array', {}, '{a,b', 'array'],
    ['array', {}, '{a}{b}', 'array'],
    ['array', {}, '{"a}', 'array'],
    ['enum', { labels: ['low', 'high'] }, 'Low', 'enum'],
    ['date', {}, '31.01.2026', 'date'],
    ['timestamp', {}, 'noon', 'timestamp'],
    ['uuid', {}, '1234', 'uuid'],
    ['bytea', {}, 'cafe', 'bytea'],
    ['bytea', {}, '\\xcaf', 'bytea'],
  ])('rejects for %s %j the text %j as %s', (kind, more, text, mistake) => {
    expect(mistakeOf(column(kind, more), text)).toBe(mistake);
  });
});
