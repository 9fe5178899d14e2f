import { expect, it } from 'vitest';
import { differencesBetween, linesOfDefinition } from './differences.ts';

it('shows the values that differ, with the names of their objects', () => {
  const former = {
    name: 'notes',
    columns: [
      { name: 'id', type: 'int' },
      { name: 'old', type: 'text' },
    ],
    comment: null,
  };
  const next = { name: 'notes', columns: [{ name: 'id', type: 'bigint' }], comment: 'All' };
  expect(differencesBetween(linesOfDefinition(former), linesOfDefinition(next))).toEqual({
    removed: [
      'columns.id.type: "int"',
      'columns.old.name: "old"',
      'columns.old.type: "text"',
      'comment: null',
    ],
    added: ['columns.id.type: "bigint"', 'comment: "All"'],
  });
});
