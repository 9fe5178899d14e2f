import { expect, it } from 'vitest';
import { enumValuesFirst } from './enum-values.ts';

it('moves new values of enums to the beginning, in their order', () => {
  const action = (sql: string, isEnumValue = false) => ({
    sql,
    transactionality: isEnumValue ? ('commitBoundaryAfter' as const) : ('transactional' as const),
  });
  const actions = [action('default'), action('red', true), action('table'), action('blue', true)];
  expect(enumValuesFirst(actions).map(({ sql }) => sql)).toEqual(['red', 'blue', 'default', 'table']);
});
