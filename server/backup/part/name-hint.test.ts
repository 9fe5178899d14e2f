import { describe, expect, it } from 'vitest';
import { nameHint } from './name-hint.ts';

describe('nameHint', () => {
  it.each([
    ['public.todo', ['public.todos', 'public.users'], 'Similar: public.todos'],
    ['public.todos', ['shop.todos', 'public."Todos"', 'public.x'], 'Similar: shop.todos, public."Todos"'],
    ['public.missing', ['public.todos', 'public.users'], 'It has: public.todos, public.users'],
    ['public.missing', [], 'It has none.'],
  ])('for %s of %j is %s', (wanted, names, hint) => {
    expect(nameHint(wanted, names)).toBe(hint);
  });

  it('lists at most 20 names, and counts the others', () => {
    const names = Array.from({ length: 25 }, (_, index) => `long_table_${index}`);
    expect(nameHint('x', names)).toMatch(/^It has: (?:long_table_\d+, ){19}long_table_19 and 5 more$/);
  });
});
