import { describe, expect, it } from 'vitest';
import { parseSelection, parseSelections } from './selection.ts';

describe('parseSelection', () => {
  it.each([
    ['todos', 'public', 'todos'],
    ['public.todos', 'public', 'todos'],
    ['Shop.Orders', 'shop', 'orders'],
    ['shop."Orders of 2026"', 'shop', 'Orders of 2026'],
    ['"a.b"."say ""hi"""', 'a.b', 'say "hi"'],
    ['"bucket:a"', 'public', 'bucket:a'],
    ['größe', 'public', 'größe'],
  ])('reads %s as the table of a schema', (text, schema, name) => {
    expect(parseSelection(text)).toEqual({ kind: 'table', schema, name });
  });

  it.each([
    ['bucket:files', 'files', ''],
    ['bucket:files/', 'files', ''],
    ['bucket:files/2026/a b', 'files', '2026/a b'],
  ])('reads %s as a bucket and a prefix of keys', (text, bucket, prefix) => {
    expect(parseSelection(text)).toEqual({ kind: 'bucket', bucket, prefix });
  });

  it.each(['', 'a.b.c', '"a', 'a b', '.a', 'a.', '""', '1a', 'a-b'])(
    'rejects %j with the allowed forms',
    (text) => {
      expect(() => parseSelection(text)).toThrow(
        `--only="${text}" is not allowed. Allowed: a table such as todos, public.todos or`,
      );
    },
  );

  it('rejects a bucket without a name', () => {
    expect(() => parseSelection('bucket:/2026')).toThrow('--only="bucket:/2026" names no bucket.');
  });
});

describe('parseSelections', () => {
  it('returns a part that has two names once', () => {
    expect(parseSelections(['todos', 'public.todos', '"todos"'])).toHaveLength(1);
  });
});
