import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Filter, formatFilter, needsValue, operatorsOf, parseFilter } from './filters.ts';

describe('a filter in the URL', () => {
  it.each<[string, Filter]>([
    ['eq:name:Ada', { operator: 'eq', column: 'name', value: 'Ada' }],
    ['eq:name:', { operator: 'eq', column: 'name', value: '' }],
    ['ilike:a%3Ab:%:%', { operator: 'ilike', column: 'a:b', value: '%:%' }],
    ['null:due', { operator: 'null', column: 'due', value: '' }],
    ['has:data:{"a":1}', { operator: 'has', column: 'data', value: '{"a":1}' }],
  ])('%s is read', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
  });

  it.each([
    '',
    'eq',
    'eq:name',
    'eq::x',
    'null:due:x',
    'other:name:x',
    'EQ:name:x',
    'eq:%zz:x',
    'toString:a:b',
  ])('%j is invalid', (text) => {
    expect(parseFilter(text)).toBeUndefined();
  });

  it('is read as it was written, for any column and value', () => {
    const filters = fc.record({
      operator: fc.constantFrom(...operatorsOf('text'), ...operatorsOf('json')),
      column: fc.string({ minLength: 1, unit: 'grapheme' }),
      value: fc.string({ unit: 'grapheme' }),
    });
    fc.assert(
      fc.property(filters, (filter) => {
        const expected = needsValue(filter.operator) ? filter : { ...filter, value: '' };
        expect(parseFilter(formatFilter(filter))).toEqual(expected);
      }),
    );
  });
});
