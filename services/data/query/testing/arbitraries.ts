/** Random queries, as the parser could have made them. */
import fc from 'fast-check';
import type { At, Field, Filter, JsonStep, Logic, Operation, OrderTerm, Query, SelectItem } from '../ast.ts';
import { operatorNames } from './operator-names.ts';

/** Where names and values come from: many, for the parser, or few, so that two queries are often alike. */
interface Alphabet {
  name: fc.Arbitrary<string>;
  key: fc.Arbitrary<string>;
  type: fc.Arbitrary<string>;
  value: fc.Arbitrary<string>;
  /** A value that does not begin with an operator. */
  argument: fc.Arbitrary<string>;
  number: fc.Arbitrary<number>;
  index: fc.Arbitrary<number>;
  max: number;
}

const anyText = fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\0'));
const words = fc.constantFrom(
  ...'and or not select columns on_conflict order limit offset count inner left'.split(' '),
);
const special = fc.constantFrom(
  ...[
    'a',
    'id',
    'a-b',
    ' a ',
    'a.b',
    'x,y',
    '"',
    '\\',
    '(',
    ')',
    '->',
    '::',
    ':',
    '*',
    '...',
    'é',
    '名',
    '𝒳',
  ],
  ...['a.order', '.or', '0', '-1', '3:abc', '%', '+', '&', '=', '{', '}', '\n', '\t', 'eq', 'is.null'],
);

/** All that may be in names and values. */
export const WIDE: Alphabet = {
  name: fc.oneof(
    words,
    special,
    anyText.filter((text) => text !== ''),
  ),
  key: fc.oneof(special, anyText),
  type: fc.constantFrom('text', 'int4', 'double precision', 'my_type$', 'größe', '7'),
  value: fc.oneof(special, anyText),
  argument: fc.oneof(
    fc.integer().map(String),
    anyText.map((text) => `{${text}`),
  ),
  number: fc.maxSafeInteger().map((number) => number + 0),
  index: fc.integer(),
  max: 4,
};

/** Few names, among them such as look like parts of a shape. */
export const NARROW: Alphabet = {
  name: fc.constantFrom('a', '1:', '1;'),
  key: fc.constantFrom('a', '-'),
  type: fc.constantFrom('a', 'b'),
  value: fc.constantFrom('a', '1;'),
  argument: fc.constantFrom('1', '2'),
  number: fc.constantFrom(0, 1),
  index: fc.constantFrom(0, 1),
  max: 2,
};

/** Any query. */
export function queries(alphabet: Alphabet): fc.Arbitrary<Query> {
  const field = fields(alphabet);
  const path = fc.array(alphabet.name, { maxLength: 2 });
  const filter = filters(alphabet, field);
  const list = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: alphabet.max });
  const ats = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<At<T>[]> => list(fc.record({ path, value }));
  const onePerPath = <T>(value: fc.Arbitrary<T>) =>
    fc.uniqueArray(fc.record({ path, value }), {
      maxLength: alphabet.max,
      selector: (entry) => JSON.stringify(entry.path),
    });
  const columns = fc.uniqueArray(alphabet.name, { minLength: 1, maxLength: alphabet.max });
  const select = fc.oneof(
    fc.record({ hasSelect: fc.constant(true), select: items(alphabet, field) }),
    fc.constant({ hasSelect: false, select: [{ kind: 'all' } as const] }),
  );
  return fc
    .record({
      columns: fc.option(columns, { nil: undefined }),
      onConflict: fc.option(columns, { nil: undefined }),
      filters: ats(filter),
      logic: ats(groups(alphabet, filter)),
      order: onePerPath(fc.array(orderTerms(alphabet, field), { minLength: 1, maxLength: alphabet.max })),
      limits: onePerPath(alphabet.number),
      offsets: onePerPath(alphabet.number),
      parameters: list(fc.tuple(alphabet.name, alphabet.argument)),
    })
    .chain((rest) => select.map((selected): Query => ({ ...selected, ...rest })));
}

function fields({ name, key, index }: Alphabet): fc.Arbitrary<Field> {
  const step: fc.Arbitrary<JsonStep> = fc.record({
    arrow: fc.constantFrom('->', '->>'),
    operand: fc.oneof(
      fc.record({ kind: fc.constant('key' as const), key }),
      fc.record({ kind: fc.constant('index' as const), index }),
    ),
  });
  const path = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(step, { maxLength: 2 }));
  return fc.record({ name, path });
}

function items({ name, type, max }: Alphabet, field: fc.Arbitrary<Field>): fc.Arbitrary<SelectItem[]> {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const aggregate = fc.record({
    name: fc.constantFrom('sum', 'avg', 'count', 'min', 'max'),
    cast: maybe(type),
  });
  const all = fc.record({ kind: fc.constant('all') });
  const plain = fc.record({
    kind: fc.constant('field'),
    field,
    alias: maybe(name),
    cast: maybe(type),
    aggregate: maybe(aggregate),
  });
  const count = fc.record({ kind: fc.constant('count'), alias: maybe(name), cast: maybe(type) });
  const { list } = fc.letrec<{ list: SelectItem[]; item: SelectItem }>((tie) => ({
    list: fc.array(tie('item'), { maxLength: max, size: 'max' }),
    item: fc.oneof(
      // Without this, deeper items would nearly always be of the first kind.
      { maxDepth: 3, depthSize: 'max' },
      all as fc.Arbitrary<SelectItem>,
      plain as fc.Arbitrary<SelectItem>,
      count as fc.Arbitrary<SelectItem>,
      fc.boolean().chain(
        (isSpread) =>
          fc.record({
            kind: fc.constant('embed'),
            target: name,
            alias: isSpread ? fc.constant(undefined) : maybe(name),
            hint: maybe(name),
            join: maybe(fc.constantFrom('inner', 'left')),
            isSpread: fc.constant(isSpread),
            select: tie('list'),
          }) as fc.Arbitrary<SelectItem>,
      ),
    ),
  }));
  return list;
}

function filters({ value, type, max }: Alphabet, field: fc.Arbitrary<Field>): fc.Arbitrary<Filter> {
  const operation = fc.oneof(
    fc.record({
      kind: fc.constant('quantifiable'),
      operator: fc.constantFrom(...operatorNames('quantifiable')),
      quantifier: fc.constantFrom(undefined, 'any', 'all'),
      value,
    }),
    fc.record({
      kind: fc.constant('simple'),
      operator: fc.constantFrom(...operatorNames('simple')),
      value,
    }),
    fc.record({ kind: fc.constant('in'), values: fc.array(value, { maxLength: max }) }),
    fc.record({
      kind: fc.constant('is'),
      value: fc.constantFrom('null', 'not_null', 'true', 'false', 'unknown'),
    }),
    fc.record({
      kind: fc.constant('search'),
      operator: fc.constantFrom(...operatorNames('search')),
      config: fc.option(type, { nil: undefined }),
      value,
    }),
  ) as fc.Arbitrary<Operation>;
  return fc.record({ field, isNegated: fc.boolean(), operation });
}

function groups({ max }: Alphabet, filter: fc.Arbitrary<Filter>): fc.Arbitrary<Logic> {
  const { group } = fc.letrec<{ group: Logic; operand: Logic }>((tie) => ({
    group: fc.record({
      kind: fc.constantFrom('and', 'or'),
      isNegated: fc.boolean(),
      operands: fc.array(tie('operand'), { minLength: 1, maxLength: max }),
    }) as fc.Arbitrary<Logic>,
    operand: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.record({ kind: fc.constant('filter' as const), filter }),
      tie('group'),
    ),
  }));
  return group;
}

function orderTerms({ name }: Alphabet, field: fc.Arbitrary<Field>): fc.Arbitrary<OrderTerm> {
  return fc.record({
    field,
    relation: fc.option(name, { nil: undefined }),
    direction: fc.constantFrom(undefined, 'asc', 'desc'),
    nulls: fc.constantFrom(undefined, 'first', 'last'),
  });
}
