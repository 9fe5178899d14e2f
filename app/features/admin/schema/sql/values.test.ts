import { expect, it } from 'vitest';
import { chosenOf, isChecked, linesOf, readFormValues, textOf } from './values.ts';

it('reads texts, lines, checkboxes and choices of a form', () => {
  const form = new FormData();
  for (const [name, value] of [
    ['name', ' a\0b '],
    ['values', 'x\r\n\r\n y '],
    ['unique', 'on'],
    ['columns', 'a'],
    ['columns', 'b'],
    ['columns', 'a'],
    ['__proto__', 'c'],
  ] as const)
    form.append(name, value);
  form.append('file', new Blob(['x']));
  const values = readFormValues(form);
  expect([textOf(values, 'name'), linesOf(values, 'values'), chosenOf(values, 'columns')]).toEqual([
    'ab',
    ['x', 'y'],
    ['a', 'b'],
  ]);
  expect([isChecked(values, 'unique'), isChecked(values, 'other'), textOf(values, 'file')]).toEqual([
    true,
    false,
    '',
  ]);
});
