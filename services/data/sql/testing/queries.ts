/** Random queries on the schema `studio`, most of which can be planned. */
import fc from 'fast-check';
import type { At, Field, Filter, Logic, Operation, OrderTerm, Query, SelectItem } from '../../query/ast.ts';
import { operatorNames } from '../../query/testing/operator-names.ts';

/** Whether two embeds side by side have one name: PostgreSQL refuses that (42712). */
export function hasDuplicates(select: readonly SelectItem[]): boolean {
  const embeds = select.filter((item) => item.kind === 'embed');
  const names = embeds.filter(({ isSpread }) => !isSpread).map(({ alias, target }) => alias ?? target);
  return new Set(names).size < names.length || embeds.some((embed) => hasDuplicates(embed.select));
}

interface Exposed {
  columns: readonly string[];
  embeds: Readonly<Record<string, string>>;
}

const RELATIONS: Readonly<Record<string, Exposed>> = {
  films: {
    columns: [
      'id',
      'title',
      'year',
      'rating',
      'tags',
      'facts',
      'notes',
      'shown',
      'is_colour',
      'body',
      'shout',
    ],
    embeds: {
      directors: 'directors',
      director_id: 'directors',
      synopses: 'synopses',
      actors: 'actors',
      roles: 'roles',
      screenings: 'screenings',
      sequel_of: 'films',
      films: 'films',
      rivals: 'films',
      first_sequel: 'films',
    },
  },
  directors: { columns: ['id', 'name', 'born'], embeds: { films: 'films', recent_films: 'recent_films' } },
  recent_films: { columns: ['id', 'title'], embeds: { directors: 'directors', screenings: 'screenings' } },
  synopses: { columns: ['film_id', 'text'], embeds: { films: 'films' } },
  actors: { columns: ['id', 'name'], embeds: { films: 'films', roles: 'roles' } },
  roles: { columns: ['film_id', 'character'], embeds: { films: 'films', actors: 'actors' } },
  screenings: { columns: ['id', 'hall', 'sold'], embeds: { films: 'films', tickets: 'tickets' } },
  tickets: { columns: ['id', 'price'], embeds: { screenings: 'screenings' } },
};

/** Values that are put in later, see {@link withValues}. */
const TEXT = '';
const NUMBER = 0;

/** The parameters of a node and its embeds. */
interface Part {
  select: SelectItem[];
  filters: At<Filter>[];
  logic: At<Logic>[];
  order: At<OrderTerm[]>[];
  limits: At<number>[];
  offsets: At<number>[];
}

/** Queries on films. */
export function studioQueries(): fc.Arbitrary<Query> {
  return parts('films', 3).map((part) => ({
    ...part,
    hasSelect: true,
    columns: undefined,
    onConflict: undefined,
    parameters: [],
  }));
}

/** The same query with other values: `text` and `number` are called for each. */
export function withValues<Part>(part: Part, text: () => string, number: () => number): Part {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      const isValue =
        key === 'key' || key === 'config' || (key === 'value' && !('kind' in value && value.kind === 'is'));
      if (isValue && typeof inner === 'string') copy[key] = text();
      else if ((key === 'index' || key === 'value') && typeof inner === 'number') copy[key] = number();
      else if (key === 'values' && Array.isArray(inner)) copy[key] = inner.map(text);
      else copy[key] = replace(inner);
    }
    return copy;
  };
  return replace(part) as Part;
}

function parts(relation: string, depth: number): fc.Arbitrary<Part> {
  const { columns = [], embeds = {} } = RELATIONS[relation] ?? {};
  const field = fields(columns);
  const filter = filters(field, columns, Object.keys(embeds));
  const chosen = depth === 0 ? fc.constant([]) : subarrayOf(Object.entries(embeds));
  return chosen.chain((children) =>
    fc
      .record({
        items: fc.array(items(field), { maxLength: 3 }),
        filters: fc.array(filter, { maxLength: 2 }),
        logic: fc.array(groups(filter), { maxLength: 1 }),
        order: fc.array(orderTerms(field, Object.keys(embeds)), { maxLength: 2 }),
        isLimited: fc.boolean(),
        isOffset: fc.boolean(),
        embeds: fc.tuple(...children.map(([target, to]) => embedded(target, to, depth - 1))),
      })
      .map((own): Part => {
        const path: string[] = [];
        const merged = <T>(values: readonly T[], pick: (part: Part) => At<T>[]) => [
          ...values.map((value) => ({ path, value })),
          ...own.embeds.flatMap(({ name, part }) =>
            pick(part).map((at) => ({ path: [name, ...at.path], value: at.value })),
          ),
        ];
        return {
          select: [...own.items, ...own.embeds.map(({ item }) => item)],
          filters: merged(own.filters, (part) => part.filters),
          logic: merged(own.logic, (part) => part.logic),
          order: merged(own.order.length === 0 ? [] : [own.order], (part) => part.order),
          limits: merged(own.isLimited ? [NUMBER] : [], (part) => part.limits),
          offsets: merged(own.isOffset ? [NUMBER] : [], (part) => part.offsets),
        };
      }),
  );
}

function subarrayOf<T>(all: T[]): fc.Arbitrary<T[]> {
  return fc.subarray(all, { maxLength: Math.min(2, all.length) });
}

interface Embedded {
  name: string;
  item: SelectItem;
  part: Part;
}

function embedded(target: string, to: string, depth: number): fc.Arbitrary<Embedded> {
  return fc
    .record({
      part: parts(to, depth),
      isSpread: fc.boolean(),
      alias: fc.constantFrom(undefined, 'other', 'a "b"'),
      join: fc.constantFrom(undefined, 'inner' as const, 'left' as const),
    })
    .map(({ part, isSpread, alias, join }) => ({
      name: isSpread ? target : (alias ?? target),
      item: {
        kind: 'embed',
        target,
        alias: isSpread ? undefined : alias,
        hint: undefined,
        join,
        isSpread,
        select: part.select,
      },
      part,
    }));
}

function fields(columns: readonly string[]): fc.Arbitrary<Field> {
  const step = fc.record({
    arrow: fc.constantFrom('->' as const, '->>' as const),
    operand: fc.constantFrom({ kind: 'key' as const, key: TEXT }, { kind: 'index' as const, index: NUMBER }),
  });
  const path = fc.oneof({ weight: 12, arbitrary: fc.constant([]) }, fc.array(step, { maxLength: 2 }));
  return fc.record({ name: fc.constantFrom(...columns), path });
}

function items(field: fc.Arbitrary<Field>): fc.Arbitrary<SelectItem> {
  const cast = fc.constantFrom(undefined, undefined, 'text', 'varchar');
  const aggregate = fc.record({ name: fc.constantFrom('count' as const, 'max' as const), cast });
  return fc.oneof(
    fc.constant({ kind: 'all' as const }),
    {
      weight: 20,
      arbitrary: fc.record({
        kind: fc.constant('field' as const),
        field,
        // The last key of a path would be the name of the column.
        alias: fc.constantFrom('one', 'two; --'),
        cast,
        aggregate: fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, aggregate),
      }),
    },
    fc.record({ kind: fc.constant('count' as const), alias: fc.constant(undefined), cast }),
  );
}

function filters(
  field: fc.Arbitrary<Field>,
  columns: readonly string[],
  embeds: readonly string[],
): fc.Arbitrary<Filter> {
  const operation = fc.oneof(
    fc.record({
      kind: fc.constant('quantifiable'),
      operator: fc.constantFrom(...operatorNames('quantifiable')),
      quantifier: fc.constantFrom(undefined, undefined, 'any', 'all'),
      value: fc.constant(TEXT),
    }),
    fc.record({
      kind: fc.constant('simple'),
      operator: fc.constantFrom(...operatorNames('simple')),
      value: fc.constant(TEXT),
    }),
    fc.record({ kind: fc.constant('in'), values: fc.array(fc.constant(TEXT), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('is'), value: fc.constantFrom('null', 'not_null', 'true', 'unknown') }),
    fc.record({
      kind: fc.constant('search'),
      operator: fc.constantFrom(...operatorNames('search')),
      config: fc.constantFrom(undefined, TEXT),
      value: fc.constant(TEXT),
    }),
  ) as fc.Arbitrary<Operation>;
  // Most others compare values with columns of another type.
  const safe: fc.Arbitrary<Filter> = fc.record({
    field: fc.record({ name: fc.constantFrom(columns[0] ?? 'id'), path: fc.constant([]) }),
    isNegated: fc.boolean(),
    operation: fc.constantFrom<Operation>(
      { kind: 'quantifiable', operator: 'eq', quantifier: undefined, value: TEXT },
      { kind: 'simple', operator: 'neq', value: TEXT },
      { kind: 'simple', operator: 'isdistinct', value: TEXT },
      { kind: 'in', values: [TEXT, TEXT] },
      { kind: 'is', value: 'not_null' },
    ),
  });
  const plain = fc.oneof(fc.record({ field, isNegated: fc.boolean(), operation }), {
    weight: 12,
    arbitrary: safe,
  });
  if (embeds.length === 0) return plain;
  const test: fc.Arbitrary<Filter> = fc.record({
    field: fc.record({ name: fc.constantFrom(...embeds), path: fc.constant([]) }),
    isNegated: fc.boolean(),
    operation: fc.constant({ kind: 'is', value: 'null' } as const),
  });
  return fc.oneof({ weight: 12, arbitrary: plain }, test);
}

function groups(filter: fc.Arbitrary<Filter>): fc.Arbitrary<Logic> {
  const leaf = fc.record({ kind: fc.constant('filter' as const), filter });
  const group = (operand: fc.Arbitrary<Logic>): fc.Arbitrary<Logic> =>
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      isNegated: fc.boolean(),
      operands: fc.array(operand, { minLength: 1, maxLength: 2 }),
    });
  return group(fc.oneof(leaf, group(leaf)));
}

function orderTerms(field: fc.Arbitrary<Field>, embeds: readonly string[]): fc.Arbitrary<OrderTerm> {
  return fc.record({
    field,
    relation: fc.constantFrom(...Array<undefined>(40).fill(undefined), ...embeds),
    direction: fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
    nulls: fc.constantFrom(undefined, 'first' as const, 'last' as const),
  });
}
