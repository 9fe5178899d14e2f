import { expect, it } from 'vitest';
import { withPlainNames } from './plain-names.ts';

it.each([
  ['"public"."notes"', 'public.notes'],
  ['"user"."char"', '"user"."char"'],
  ['"My Table"."Ünï" "1a" "a$b"', '"My Table"."Ünï" "1a" "a$b"'],
  [`select '"a"', $$"a"$$, "a" -- "a"`, `select '"a"', $$"a"$$, a -- "a"`],
  ['"a""b"', '"a""b"'],
])('withPlainNames keeps the meaning of %s', (sql, expected) => {
  expect(withPlainNames(sql, new Set(['user', 'char']))).toBe(expected);
});
