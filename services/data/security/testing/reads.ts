/** Random reads: as query strings, and as the SQL that says the same. */
import fc from 'fast-check';

/** A condition on one relation. `sql` is about the alias `r`. */
interface Filter {
  key: string;
  value: string;
  sql: (alias: string) => string;
}

const FILTERS: readonly Filter[] = [
  { key: 'level', value: 'gte.1', sql: (r) => `${r}.level >= 1` },
  { key: 'level', value: 'eq.0', sql: (r) => `${r}.level = 0` },
  { key: 'level', value: 'in.(0,2)', sql: (r) => `${r}.level in (0, 2)` },
  { key: 'owner', value: 'eq.ann', sql: (r) => `${r}.owner = 'ann'` },
  { key: 'owner', value: 'is.null', sql: (r) => `${r}.owner is null` },
  { key: 'mark', value: 'not.like.*1', sql: (r) => `not (${r}.mark like '%1')` },
  { key: 'or', value: '(level.eq.1,owner.eq.bob)', sql: (r) => `(${r}.level = 1 or ${r}.owner = 'bob')` },
];

/** How rows of one relation belong to those of another: FROM and WHERE, for aliases of parent and child. */
interface Link {
  name: string;
  to: string;
  from: (child: string, parent: string) => string;
  where: (child: string, parent: string) => string;
}

const link = (to: string, where: Link['where'], name = to): Link => ({
  name,
  to,
  from: (child) => `${to} as ${child}`,
  where,
});
const computed = (name: string): Link => ({
  name,
  to: 'docs',
  from: (child, parent) => `${name}(${parent}) as ${child}`,
  where: () => 'true',
});
const through = (to: string, ownColumn: string, otherColumn: string): Link => ({
  name: to,
  to,
  from: (child) =>
    `${to} as ${child} join doc_labels as ${child}_j on ${child}_j.${otherColumn} = ${child}.id`,
  where: (child, parent) => `${child}_j.${ownColumn} = ${parent}.id`,
});
const OF_DOCS = [
  link('teams', (c, p) => `${c}.id = ${p}.team_id`),
  link('doc_labels', (c, p) => `${c}.doc_id = ${p}.id`),
  through('labels', 'doc_id', 'label_id'),
];

const LINKS: Readonly<Record<string, readonly Link[]>> = {
  teams: [
    link('docs', (c, p) => `${c}.team_id = ${p}.id`),
    link('docs_seen', (c, p) => `${c}.team_id = ${p}.id`),
    computed('newest_doc'),
    computed('docs_above'),
  ],
  labels: [link('doc_labels', (c, p) => `${c}.label_id = ${p}.id`), through('docs', 'label_id', 'doc_id')],
  docs: OF_DOCS,
  doc_labels: [
    link('docs', (c, p) => `${c}.id = ${p}.doc_id`),
    link('labels', (c, p) => `${c}.id = ${p}.label_id`),
  ],
  docs_seen: OF_DOCS.slice(0, 1),
};

/** The parameters of one relation. */
interface Node {
  filters: readonly Filter[];
  embeds: readonly Embed[];
}

interface Embed extends Node {
  link: Link;
  join: '' | '!inner' | '!left';
  isSpread: boolean;
  selects: '' | 'mark' | '*' | 'count()' | 'mark.max()';
  /** The parent is wanted without it, or with it. */
  nullTest: undefined | 'is.null' | 'not.is.null';
}

/** A read, in both languages. */
export interface Read {
  path: string;
  /** Parameters, encoded, without those that are arguments. */
  query: string;
  /** Of a function. */
  args: Readonly<Record<string, number>> | undefined;
  /** The rows that it is about, with all their columns. */
  sql: string;
  /** Whether each row of the answer is one of those rows, with its mark. */
  showsMarks: boolean;
  limit: number | undefined;
  hasFilters: boolean;
}

interface Root {
  path: string;
  relation: string;
  from: string;
  args: Read['args'];
}

const ROOTS: readonly Root[] = [
  ...Object.keys(LINKS).map((relation) => ({
    path: `/${relation}`,
    relation,
    from: relation,
    args: undefined,
  })),
  { path: '/rpc/all_docs', relation: 'docs', from: 'all_docs()', args: {} },
  { path: '/rpc/all_docs', relation: 'docs', from: 'all_docs(1)', args: { from_level: 1 } },
];

/** Reads of all relations and of a function. */
export function reads(): fc.Arbitrary<Read> {
  return fc.constantFrom(...ROOTS).chain((root) =>
    fc
      .record({
        node: nodes(root.relation, 2),
        select: fc.constantFrom(
          'mark',
          'mark',
          '*',
          'count(),mark.min(),mark.max(),level.sum()',
          'level,count()',
        ),
        limit: fc.constantFrom(undefined, undefined, 1, 2),
        order: fc.constantFrom('', '', 'order=id.desc', 'order=level,mark'),
      })
      .map(({ node, select, limit, order }) => readOf(root, node, select, limit, order)),
  );
}

function readOf(root: Root, node: Node, select: string, limit: number | undefined, order: string): Read {
  const isAggregate = select.includes('count()');
  const shown = isAggregate ? { ...node, embeds: node.embeds.map(onlyTested) } : node;
  const parameters = [
    `select=${[select, ...shown.embeds.map((embed, i) => selectOf(embed, `e${i}`))].join(',')}`,
    ...parametersOf(shown, ''),
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(order === '' || isAggregate || root.relation === 'doc_labels' ? [] : [order]),
  ];
  return {
    path: root.path,
    query: parameters.join('&'),
    args: root.args,
    sql: `select r.* from ${root.from} as r where ${whereOf(shown, 'r')}`,
    showsMarks: !isAggregate,
    limit,
    hasFilters: shown.filters.length > 0 || shown.embeds.length > 0,
  };
}

/** Nothing of it is shown: rows would be grouped by that. */
function onlyTested(embed: Embed): Embed {
  return { ...embed, isSpread: false, selects: '', embeds: [] };
}

function nodes(relation: string, depth: number): fc.Arbitrary<Node> {
  const links = depth === 0 ? [] : (LINKS[relation] ?? []);
  return fc.record({
    filters: fc.uniqueArray(fc.constantFrom(...FILTERS), { maxLength: 2, selector: ({ key }) => key }),
    embeds: fc
      .subarray([...links], { maxLength: Math.min(2, links.length) })
      .chain((chosen) => fc.tuple(...chosen.map((each) => embeds(each, depth - 1)))),
  });
}

function embeds(link: Link, depth: number): fc.Arbitrary<Embed> {
  return fc
    .record({
      node: nodes(link.to, depth),
      join: fc.constantFrom('' as const, '' as const, '!inner' as const, '!left' as const),
      isSpread: fc.nat(3).map((number) => number === 0),
      selects: fc.constantFrom(
        'mark' as const,
        'mark' as const,
        '*' as const,
        'count()' as const,
        'mark.max()' as const,
      ),
      nullTest: fc.constantFrom(undefined, undefined, undefined, 'is.null' as const, 'not.is.null' as const),
    })
    .map(({ node, ...rest }) => {
      const isAggregate = rest.selects.endsWith(')');
      // Rows of an aggregate are groups, and a spread one is about the rows around it.
      if (isAggregate)
        return { ...rest, ...node, embeds: [], link, isSpread: false, join: '', nullTest: undefined };
      return { ...rest, ...node, link, selects: rest.isSpread ? 'mark' : rest.selects };
    });
}

function selectOf({ link, join, isSpread, selects, embeds: inner }: Embed, name: string): string {
  // Of a spread, names have to be its own.
  const own = isSpread ? `${name}:mark` : selects;
  const items = [...(own === '' ? [] : [own]), ...inner.map((embed, i) => selectOf(embed, `${name}e${i}`))];
  return `${isSpread ? '...' : ''}${link.name}${join}(${items.join(',')})`;
}

function parametersOf({ filters, embeds: inner }: Node, prefix: string): string[] {
  return [
    ...filters.map(({ key, value }) => `${prefix}${key}=${encodeURIComponent(value)}`),
    ...inner.flatMap((embed) => [
      ...(embed.nullTest === undefined ? [] : [`${prefix}${embed.link.name}=${embed.nullTest}`]),
      ...parametersOf(embed, `${prefix}${embed.link.name}.`),
    ]),
  ];
}

function whereOf({ filters, embeds: inner }: Node, alias: string): string {
  const tests = inner.flatMap((embed, i) => {
    const child = `${alias}${i}`;
    const rows = `select from ${embed.link.from(child, alias)} where ${embed.link.where(child, alias)} and ${whereOf(embed, child)}`;
    return [
      ...(embed.join === '!inner' || embed.nullTest === 'not.is.null' ? [`exists (${rows})`] : []),
      ...(embed.nullTest === 'is.null' ? [`not exists (${rows})`] : []),
    ];
  });
  return ['true', ...filters.map(({ sql }) => sql(alias)), ...tests].join(' and ');
}

/** Conditions on the rows of one relation, for writes. */
export function conditions(): fc.Arbitrary<{ query: string; sql: string }> {
  return fc
    .uniqueArray(fc.constantFrom(...FILTERS), { maxLength: 2, selector: ({ key }) => key })
    .map((filters) => ({
      query: parametersOf({ filters, embeds: [] }, '').join('&'),
      sql: filters.length === 0 ? '' : ` where ${filters.map(({ sql }) => sql('t')).join(' and ')}`,
    }));
}
