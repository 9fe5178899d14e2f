/** Random paths and query strings. Characters are bytes. */
import fc from 'fast-check';
import { queries, WIDE } from '../../query/testing/arbitraries.ts';
import { printQuery } from '../../query/testing/print-query.ts';
import { studioQueries, withValues } from '../../sql/testing/queries.ts';

const printable = fc.integer({ min: 0x21, max: 0x7e });
const anyBytes = fc
  .array(fc.oneof({ weight: 20, arbitrary: printable }, fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 12,
  })
  .map((codes) => String.fromCharCode(...codes));

/** Paths below the prefix that nothing is at, or hardly. */
export const unusualPaths = fc.oneof(
  fc.constantFrom(
    ...'/  // /films/ /films// /rpc /rpc/ /rpc/a/b /a/b/c /%00 /films%00 /rpc/add%00 /%ff /% /%zz /%ed%a0%80'.split(
      ' ',
    ),
    ...'/films%2f /.. /../.. /./films /%2e%2e/x /films;a=1 /films#a /__proto__ /constructor /rpc/__proto__ /*'.split(
      ' ',
    ),
    ...'/films%3Fid=eq.1 /\u00e9 /%E5%90%8D /%66ilms /rpc/shout /rpc/films'.split(' '),
    `/${'x'.repeat(5000)}`,
  ),
  anyBytes.map((text) => `/${text.replaceAll('?', '')}`),
);

/** Keys and values that may mean something together. */
const PAIRS: readonly (readonly [keys: string, values: string])[] = [
  [
    'select',
    '* id id,title count() id.sum() id.max()::text id::int a:id count films(count) ...directors(name)',
  ],
  [
    'select',
    'id,directors(*) directors!inner(films(id)) facts->a->>b roles(*,actors!inner(name)) makers(*) id,chairs(*)',
  ],
  ['order', 'id id.desc title.desc.nullslast name directors(name) id,id facts->a.asc id.up a.b'],
  ['limit', '1 2 0 -1 1e9 99999999999999999999999 -0 +1 0x10 %31 01 NaN'],
  ['offset', '0 1 3 -1 99999999999999999999999 -0 +1 x'],
  ['columns', 'id id,name id,title a,b a.b "a" % id,id'],
  ['on_conflict', 'id name id,name a b,a nothing %00'],
  [
    'and or not.or not.and',
    '(id.eq.1,title.is.null) (not.and(id.eq.1)) () (a (id.in.(1,2)) (id.eq.1) (name.like.*a*)',
  ],
  ['directors.limit directors.name films.order a.b.c.d.limit', '1 eq.1 id.desc -1 is.null'],
  [
    'id a year last n chair_id',
    'eq.1 gt.1 lt.100 in.(1,2) in.() is.null is.not_null isdistinct.1 eq(any).{1,2} not.eq.1 neq.3',
  ],
  [
    'title name text note b',
    'eq.x like.*a* ilike(all).{*a*,b*} in.("a\\"b") match.(a*)*b match.[ imatch.a eq. neq.x fts.a',
  ],
  ['title body', 'fts(english).a fts(nothing).a wfts.%27 plfts.x phfts(simple).y fts.! fts(a.b).c'],
  ['tags shown', 'cs.{1} cd.[1,2) ov.{} sl.(1,2) cs.{sea} adj.[1,2] ov.[1,3] cd.{ nxl.empty'],
  ['facts facts->a facts->>kind notes->a->0 facts-%3Ekind', 'eq.1 is.null cs.{} eq.drama cs.[] eq.% eq.null'],
  ['directors films roles', 'is.null not.is.null eq.1 is.not_null'],
  ['last a b n data numbers name j', '1 2 {1,2} x null true {"a":1} %00 %ff %ed%a0%80'],
  [' . " "a".order id.limit * %00 %ff __proto__', "eq.1 1 eq.%00 eq.%ff eq ' $1 \\ %E2%82%AC"],
];
const randomPairs = fc
  .array(
    fc
      .constantFrom(...PAIRS)
      .chain(([keys, values]) =>
        fc.tuple(fc.constantFrom(...keys.split(' ')), fc.constantFrom(...values.split(' '))),
      ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));

const repeated = (count: number, part: (index: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, index) => part(index)).join(separator);
/** At the limits, and behind them. */
const LONG = [
  `id=in.(${repeated(5000, String)})`,
  `or=${'('.repeat(40)}${')'.repeat(40)}`,
  `and=(${'or('.repeat(30)}id.eq.1${')'.repeat(30)})`,
  `select=${'films('.repeat(20)}id${')'.repeat(20)}`,
  `select=${'directors(films('.repeat(7)}id${'))'.repeat(7)}`,
  `select=facts${'->a'.repeat(40)}`,
  `select=facts${'->a'.repeat(30)}`,
  repeated(900, (index) => `id=neq.${index}`, '&'),
  repeated(1200, (index) => `a${index}=1`, '&'),
  `order=${repeated(400, () => 'id')}`,
  `select=${repeated(1600, (index) => `c${index}:id`)}`,
  `title=eq.${'x'.repeat(60_000)}`,
  `select=${'a'.repeat(64)},${'b'.repeat(64)}`,
];

const texts = fc.constantFrom('1', '1', '1', '1', '{1}', 'simple', '2020-01-01', "'", '', '\ud7ff');
const numbers = fc.constantFrom(1, 1, 0, 2, -1, 2 ** 40);

/** Queries on films. */
const filmQueries = fc.tuple(studioQueries(), texts, numbers).map(([query, text, number]) =>
  printQuery(
    withValues(
      query,
      () => text,
      () => number,
    ),
  ),
);
const anyQueries = queries(WIDE).map((query) => (isPrintable(query) ? printQuery(query) : ''));

/** A text with a lone surrogate cannot be percent-encoded. */
function isPrintable(query: unknown): boolean {
  return !/\\ud[89a-f]/i.test(JSON.stringify(query));
}

function cut([text, at, length, put]: [string, number, number, string]): string {
  const start = at % (text.length + 1);
  return text.slice(0, start) + put.slice(0, 2) + text.slice(start + length);
}

/** Query strings, without the `?`; those on films know what there is. */
export function queryStrings(isFilms: boolean): fc.Arbitrary<string> {
  const valid = isFilms ? filmQueries : randomPairs;
  return fc.oneof(
    { weight: 20, arbitrary: valid },
    { weight: 10, arbitrary: randomPairs },
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 3, arbitrary: anyQueries },
    { weight: 3, arbitrary: fc.tuple(valid, fc.nat(), fc.nat(3), anyBytes).map(cut) },
    { weight: 1, arbitrary: fc.constantFrom(...LONG) },
    { weight: 1, arbitrary: anyBytes },
  );
}
