import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../query/parse-query.ts';
import { sql } from './sql.ts';
import { Reads, type TestRead } from './testing/reads.ts';

let reads: Reads;
beforeAll(async () => {
  reads = await Reads.open();
});
afterAll(() => reads.close());

/** A query string on films, and the JSON that it gives. */
type Row = [query: string, expected: unknown, read?: TestRead];

function ids(...numbers: number[]) {
  return numbers.map((id) => ({ id }));
}

function check(rows: readonly Row[]) {
  it.each(rows)('returns the rows of %s', async (query, expected, read) => {
    const { body } = await reads.read(query, read);
    expect(body).toEqual(expected);
  });
}

describe('filters', () => {
  check(
    (
      [
        ['id=eq.2', [2]],
        ['id=neq.2', [1, 3, 4]],
        ['id=gt.3', [4]],
        ['id=gte.3', [3, 4]],
        ['id=lt.2', [1]],
        ['id=lte.2', [1, 2]],
        ['id=eq(any).{1,3}', [1, 3]],
        ['id=gt(all).{1,2}', [3, 4]],
        ['title=like.Blue*', [1, 2]],
        ['title=like(any).{Blue*,The*}', [1, 2, 3]],
        ['title=ilike.*train', [1]],
        ['title=match.^B', [1, 2]],
        ['title=imatch.DOG$', [3]],
        ['title=in.("Nobody, Again","The White Dog")', [3, 4]],
        ['id=in.()', []],
        ['id=not.in.(1,2)', [3, 4]],
        ['director_id=is.null', [4]],
        ['director_id=is.not_null', [1, 2, 3]],
        ['is_colour=is.true', [1, 2]],
        ['is_colour=is.false', [3]],
        ['is_colour=is.unknown', [4]],
        ['director_id=isdistinct.1', [3, 4]],
        ['tags=cs.{sea}', [1]],
        ['tags=cd.{train,sea,sky}', [1, 2]],
        ['tags=ov.{dog,sea}', [1, 3]],
        ['shown=sl.[10,20)', [1, 2]],
        ['shown=sr.[1,5)', [3]],
        ['shown=nxr.[4,9)', [1, 2]],
        ['shown=nxl.[4,9)', [2, 3]],
        ['shown=adj.[9,10)', [2, 3]],
        ['body=fts.train', [1, 2]],
        ['body=fts(english).trains', [1, 2]],
        ['title=plfts(simple).white dog', [3]],
        ['title=phfts.blue train', [1, 2]],
        ['title=wfts.train -returns', [1]],
        ['facts->>kind=eq.drama', [1]],
        ['facts->in->>en=eq.Blue', [1]],
        ['facts->sizes->>0=eq.3', [2]],
        ['notes->>a=eq.1', [1]],
        ['tags->>-1=eq.train', [1, 2]],
        ['facts=cs.{"kind":"drama"}', [1]],
        ['shout=eq.THE WHITE DOG', [3]],
        ['year=gte.1990&year=lt.2000', [1, 2]],
        ['or=(id.eq.1,and(year.gt.1994,title.not.like.Blue*))', [1, 3]],
        ['not.or=(id.eq.1,id.eq.2)', [3, 4]],
        ['and=(id.gt.1,or(tags.cs.{dog},title.like."*, *"))', [3, 4]],
      ] satisfies [string, number[]][]
    ).map(([query, found]): Row => [`select=id&order=id&${query}`, ids(...found)]),
  );
});

it.each([
  ['an unknown text search configuration', 'body=fts(1).train', '42704'],
  ['an unknown column', 'nothing=eq.1', '42703'],
  ['a value of another type', 'id=eq.x', '22P02'],
  ['an unknown type', 'select=id::nothing', '42704'],
  ['several types in a cast', 'select=id::int text', '42601'],
  ['an operator that the column type lacks', 'id=like.1', '42883'],
  ['an invalid pattern', 'title=match.(', '2201B'],
])('rejects %s: %s', async (_, query, code) => {
  await expect(reads.read(query)).rejects.toHaveProperty('code', code);
});

describe('columns', () => {
  check([
    ['select=id,name:title&id=eq.1', [{ id: 1, name: 'Blue Train' }]],
    ['select=id::text,year::text&id=eq.1', [{ id: '1', year: '1990' }]],
    ['select=facts->kind,facts->sizes->1&id=eq.1', [{ kind: 'drama', sizes: 2 }]],
    ['select=first:facts->sizes->>0,tags->0&id=eq.1', [{ first: '1', tags: 'sea' }]],
    ['select=shout&id=eq.1', [{ shout: 'BLUE TRAIN' }]],
    ['select=directors()&id=lte.2', [{}, {}]],
    ['select=&film_id=eq.1', [{ film_id: 1, text: 'A train is blue' }], { relation: 'synopses' }],
    ['id=eq.9', []],
    ['', [{ id: 1, 'a.b,c': 'x', count: 7, 'odd "name': 8 }], { relation: 'odd "name' }],
    ['select="a.b,c",c:count&count=eq.7', [{ 'a.b,c': 'x', c: 7 }], { relation: 'odd "name' }],
    [
      '',
      [
        { id: 1, colour: '#0000ff', other: null },
        { id: 2, colour: '#001000', other: '#0000ff' },
      ],
      { relation: 'paints' },
    ],
    ['select=id&colour=eq.%230000ff', ids(1), { relation: 'paints' }],
    ['select=id&colour=in.(%23001000,%23000001)', ids(2), { relation: 'paints' }],
    ['select=c:colour&id=eq.1', [{ c: '#0000ff' }], { relation: 'paints' }],
  ]);

  it('returns repeated names as often as selected', async () => {
    const { text, values } = reads.plan(parseQuery('select=id,id,...directors(id,id:name)&id=eq.1'));
    const [row] = await reads.client.query({ text: `select body::text from (${text}) as answer`, values });
    expect(row?.body).toBe('[{"id":1,"id":1,"id":1,"id":"Agnes"}]');
  });
});

describe('order and range', () => {
  check([
    ['select=id&order=year.desc.nullslast,id', ids(3, 2, 1, 4)],
    ['select=id&order=year.nullsfirst', ids(4, 1, 2, 3)],
    ['select=id&order=facts->>kind.asc,id.desc', ids(2, 1, 4, 3)],
    ['select=id&order=shout.desc', ids(3, 4, 2, 1)],
    ['select=id&order=id', ids(2, 3), { rootLimit: 2, rootOffset: 1 }],
    ['select=id&order=id', ids(1), { rootLimit: 2, maxRows: 1 }],
    ['select=id&order=id', ids(1, 2), { maxRows: 2 }],
    [
      'select=id,directors(id)&order=directors(name).desc.nullslast,id&limit=9',
      [
        { id: 3, directors: { id: 2 } },
        { id: 1, directors: { id: 1 } },
        { id: 2, directors: { id: 1 } },
        { id: 4, directors: null },
      ],
    ],
    [
      'select=id,by:directors(n:name)&order=by(n).desc.nullslast,id&id=gt.1',
      [
        { id: 3, by: { n: 'Bela' } },
        { id: 2, by: { n: 'Agnes' } },
        { id: 4, by: null },
      ],
    ],
    [
      'select=id,...directors(n:name)&order=directors(n).desc.nullslast,id&id=gt.1',
      [
        { id: 3, n: 'Bela' },
        { id: 2, n: 'Agnes' },
        { id: 4, n: null },
      ],
    ],
    ['select=id,directors()&order=directors(born).desc.nullslast,id.desc', ids(3, 2, 1, 4)],
    [
      'select=id,...directors(name)&order=directors(born).asc.nullslast,id.desc&id=lt.4',
      [
        { id: 2, name: 'Agnes' },
        { id: 1, name: 'Agnes' },
        { id: 3, name: 'Bela' },
      ],
    ],
  ]);
});

describe('embeddings', () => {
  check([
    [
      'select=id,directors(name)&order=id',
      [
        { id: 1, directors: { name: 'Agnes' } },
        { id: 2, directors: { name: 'Agnes' } },
        { id: 3, directors: { name: 'Bela' } },
        { id: 4, directors: null },
      ],
    ],
    [
      'select=name,films(id)&order=id',
      [
        { name: 'Agnes', films: ids(1, 2) },
        { name: 'Bela', films: ids(3) },
        { name: 'Chloe', films: [] },
      ],
      { relation: 'directors' },
    ],
    [
      'select=id,synopses(text)&id=in.(1,2)&order=id',
      [
        { id: 1, synopses: { text: 'A train is blue' } },
        { id: 2, synopses: null },
      ],
    ],
    ['select=id,director_id(name)&id=eq.1', [{ id: 1, director_id: { name: 'Agnes' } }]],
    ['select=id,by:films_director_id_fkey(name)&id=eq.1', [{ id: 1, by: { name: 'Agnes' } }]],
    [
      'select=title,actors(name)&actors.order=name.desc&id=lte.2&order=id',
      [
        { title: 'Blue Train', actors: [{ name: 'Yuri' }, { name: 'Xenia' }] },
        { title: 'Blue Train Returns', actors: [{ name: 'Xenia' }] },
      ],
    ],
    [
      'select=name,films(id)&films.order=id&order=id',
      [
        { name: 'Xenia', films: ids(1, 2) },
        { name: 'Yuri', films: ids(1, 3) },
        { name: 'Zoe', films: [] },
      ],
      { relation: 'actors' },
    ],
    [
      'select=name,manager_id(name)&id=eq.4',
      [{ name: 'Cid', manager_id: { name: 'Ann' } }],
      { relation: 'employees' },
    ],
    [
      'select=name,reports:employees!manager_id(id)&id=eq.1&reports.order=id',
      [{ name: 'Root', reports: ids(2, 3) }],
      { relation: 'employees' },
    ],
    ['select=id,sequel_of(id,sequel_of(id))&id=eq.2', [{ id: 2, sequel_of: { id: 1, sequel_of: null } }]],
    [
      'select=id,rivals(id)&rivals.order=id&id=in.(1,3)&order=id',
      [
        { id: 1, rivals: ids(3, 4) },
        { id: 3, rivals: ids(1, 2, 4) },
      ],
    ],
    [
      'select=id,first_sequel(id,directors(name))&order=id&id=lte.2',
      [
        { id: 1, first_sequel: { id: 2, directors: { name: 'Agnes' } } },
        { id: 2, first_sequel: { id: null, directors: null } },
      ],
    ],
    [
      'select=id,directors(name)&order=id',
      [
        { id: 2, directors: { name: 'Agnes' } },
        { id: 3, directors: { name: 'Bela' } },
      ],
      { relation: 'recent_films' },
    ],
    [
      'select=name,films(title,screenings(hall,tickets(price)))&films.screenings.tickets.order=price.desc' +
        '&films.screenings.tickets.limit=1&films.screenings.hall=eq.red&films.id=neq.2&films.order=id&order=id&id=lt.3',
      [
        {
          name: 'Agnes',
          films: [{ title: 'Blue Train', screenings: [{ hall: 'red', tickets: [{ price: 12 }] }] }],
        },
        {
          name: 'Bela',
          films: [{ title: 'The White Dog', screenings: [{ hall: 'red', tickets: [{ price: 9 }] }] }],
        },
      ],
      { relation: 'directors' },
    ],
    [
      'select=name,films(id)&films.order=id.desc&films.limit=1&films.offset=1&id=eq.1',
      [{ name: 'Agnes', films: ids(1) }],
      { relation: 'directors' },
    ],
    [
      'select=name,films(id)&films.order=id&id=eq.1',
      [{ name: 'Agnes', films: ids(1) }],
      { relation: 'directors', maxRows: 1 },
    ],
    [
      'select=name,f:films(id)&f.or=(id.eq.1,year.eq.2000)&order=id',
      [
        { name: 'Agnes', f: ids(1) },
        { name: 'Bela', f: ids(3) },
        { name: 'Chloe', f: [] },
      ],
      { relation: 'directors' },
    ],
    [
      'select=name,f:films(id)&films.id=eq.1&id=eq.1',
      [{ name: 'Agnes', f: ids(1) }],
      { relation: 'directors' },
    ],
    [
      'select=name,films!inner(id)&films.year=gte.2000',
      [{ name: 'Bela', films: ids(3) }],
      { relation: 'directors' },
    ],
    ['select=id,directors!inner(name)&directors.name=eq.Bela', [{ id: 3, directors: { name: 'Bela' } }]],
    ['select=id,directors!inner()&order=id', ids(1, 2, 3)],
    ['select=id,directors()&id=eq.1', ids(1)],
    ['select=id,directors(films())&id=eq.1', ids(1)],
    [
      'select=name,films!inner(screenings!inner(tickets!inner(price)))&films.screenings.tickets.price=eq.9',
      [{ name: 'Bela', films: [{ screenings: [{ tickets: [{ price: 9 }] }] }] }],
      { relation: 'directors' },
    ],
    ['select=id,directors(name)&directors=is.null', [{ id: 4, directors: null }]],
    ['select=name,films()&films=is.null', [{ name: 'Chloe' }], { relation: 'directors' }],
    [
      'select=name,films()&films=not.is.null&order=id',
      [{ name: 'Agnes' }, { name: 'Bela' }],
      { relation: 'directors' },
    ],
    [
      'select=name,films(id)&films.year=gt.1999&films=not.is.null',
      [{ name: 'Bela', films: ids(3) }],
      { relation: 'directors' },
    ],
    [
      'select=name,films()&or=(films.is.null,name.eq.Bela)&order=id',
      [{ name: 'Bela' }, { name: 'Chloe' }],
      { relation: 'directors' },
    ],
    [
      'select=id,a:actors(name),b:actors(id)&a.name=eq.Yuri&b.id=eq.1&id=eq.1',
      [{ id: 1, a: [{ name: 'Yuri' }], b: ids(1) }],
    ],
    [
      'select=name,films(count)&order=id',
      [
        { name: 'Agnes', films: [{ count: 2 }] },
        { name: 'Bela', films: [{ count: 1 }] },
        { name: 'Chloe', films: [{ count: 0 }] },
      ],
      { relation: 'directors', allowsAggregates: false },
    ],
  ]);
});

describe('names that PostgreSQL would truncate to equal aliases', () => {
  const long = 'an_extremely_long_name_that_leaves_no_room_for_anything_after_i';
  check([
    ['select=id,films(id)', [{ id: 4, films: { id: 2 } }], { relation: 'films_1' }],
    [
      `select=id,${long}(id,film_id(id,${long}(id)))`,
      [{ id: 4, [long]: [{ id: 5, film_id: { id: 4, [long]: ids(5) } }] }],
      { relation: 'films_1' },
    ],
  ]);
});

describe('spread embeddings', () => {
  check([
    [
      'select=id,...directors(name,born)&order=id&id=in.(3,4)',
      [
        { id: 3, name: 'Bela', born: '1955-07-21' },
        { id: 4, name: null, born: null },
      ],
    ],
    ['select=id,...directors(*)&id=eq.3', [{ id: 2, name: 'Bela', born: '1955-07-21' }]],
    ['select=id,...directors()&id=eq.3', ids(3)],
    [
      'select=name,...films(ids:id,title)&films.order=id.desc&order=id',
      [
        { name: 'Agnes', ids: [2, 1], title: ['Blue Train Returns', 'Blue Train'] },
        { name: 'Bela', ids: [3], title: ['The White Dog'] },
        { name: 'Chloe', ids: [], title: [] },
      ],
      { relation: 'directors' },
    ],
    [
      'select=id,...screenings(...films(title,...directors(name)))&id=in.(1,4)&order=id',
      [
        { id: 1, title: 'Blue Train', name: 'Agnes' },
        { id: 4, title: 'The White Dog', name: 'Bela' },
      ],
      { relation: 'tickets' },
    ],
    [
      'select=id,...directors!inner(name)&order=id.desc',
      [
        { id: 3, name: 'Bela' },
        { id: 2, name: 'Agnes' },
        { id: 1, name: 'Agnes' },
      ],
    ],
    [
      'select=id,...actors(name,roles(character))&id=eq.3',
      [{ id: 3, name: ['Yuri'], roles: [[{ character: 'guard' }, { character: 'dog' }]] }],
    ],
    [
      'select=name,...films!inner(id)&films.id=lt.3',
      [{ name: 'Agnes', id: [1, 2] }],
      { relation: 'directors' },
    ],
  ]);
});

describe('aggregates', () => {
  check([
    ['select=count()', [{ count: 4 }]],
    [
      'select=...directors(by:name),count()&order=directors(by).desc.nullslast',
      [
        { by: 'Bela', count: 1 },
        { by: 'Agnes', count: 2 },
        { by: null, count: 1 },
      ],
    ],
    [
      'select=...films(...directors(name,n:count())),sold.sum()&order=films(name)',
      [
        { name: 'Agnes', n: 3, sum: 140 },
        { name: 'Bela', n: 1, sum: 70 },
      ],
      { relation: 'screenings' },
    ],
    ['select=notes,count()&id=eq.1', [{ notes: { a: 1 }, count: 1 }]],
    ['select=notes->a,count()&id=eq.1', [{ a: 1, count: 1 }]],
    ['select=colour,count()&id=eq.1', [{ colour: '#0000ff', count: 1 }], { relation: 'paints' }],
    [
      'select=name,...films(id),count()&id=eq.1',
      [{ name: 'Agnes', id: [1, 2], count: 1 }],
      { relation: 'directors' },
    ],
    [
      'select=name,films(id),actors:films(count())&id=eq.2',
      [{ name: 'Bela', films: ids(3), actors: [{ count: 1 }] }],
      { relation: 'directors' },
    ],
    ['select=n:count()::text', [{ n: '4' }]],
    [
      'select=rating.max(),low:rating.min(),year.avg()::int,rating.sum()',
      [{ max: 8.2, low: 6.1, avg: 1995, sum: 21.8 }],
    ],
    [
      'select=director_id,count()&order=director_id',
      [
        { director_id: 1, count: 2 },
        { director_id: 2, count: 1 },
        { director_id: null, count: 1 },
      ],
    ],
    ['select=kind:facts->>kind,count()&id=lt.3&title=like.*n', [{ kind: 'drama', count: 1 }]],
    [
      'select=hall,films(director_id),sold.sum()&order=hall&hall=eq.red&film_id=eq.1',
      [{ hall: 'red', films: { director_id: 1 }, sum: 80 }],
      { relation: 'screenings' },
    ],
    [
      'select=name,films(count(),rating.max())&order=id',
      [
        { name: 'Agnes', films: [{ count: 2, max: 7.5 }] },
        { name: 'Bela', films: [{ count: 1, max: 8.2 }] },
        { name: 'Chloe', films: [{ count: 0, max: null }] },
      ],
      { relation: 'directors' },
    ],
    [
      'select=hall,...films(rating.max())&order=hall',
      [
        { hall: 'blue', max: 7.5 },
        { hall: 'red', max: 8.2 },
      ],
      { relation: 'screenings' },
    ],
    [
      'select=...films(...directors(name)),sold.sum()&film_id=lt.3',
      [{ name: 'Agnes', sum: 140 }],
      { relation: 'screenings' },
    ],
    [
      'select=director_id,...directors(count())&order=director_id',
      [
        { director_id: 1, count: 2 },
        { director_id: 2, count: 1 },
        { director_id: null, count: 0 },
      ],
    ],
    [
      'select=*,count()&film_id=eq.3',
      [{ film_id: 3, actor_id: 2, character: 'dog', count: 1 }],
      { relation: 'roles' },
    ],
  ]);
});

describe('many embeddings', () => {
  const embeds = (count: number, target: string) =>
    Array.from({ length: count }, (_, index) => `e${index}:${target}`).join();
  const fences = (select: string, read?: TestRead) =>
    reads.plan(parseQuery(`select=${select}`), read).text.split(' offset 0').length - 1;

  it.each<[select: string, fences: number, read?: TestRead]>([
    [embeds(12, 'directors(id)'), 0],
    [embeds(15, 'directors(id)'), 3],
    // One that has many rows, or must have one, is cheap to plan, and so is one with a limit.
    [embeds(15, 'actors(id)'), 0],
    [embeds(15, 'directors!inner(id)'), 0],
    [embeds(15, 'directors(id)'), 0, { maxRows: 10 }],
    [`actors(roles(${embeds(15, 'films(id)')}))`, 3],
  ])('are fenced beyond twelve left joins to one row: %s', (select, expected, read) => {
    expect(fences(select, read)).toBe(expected);
  });

  it('return the same rows with and without fences', async () => {
    const { body } = await reads.read(`select=${embeds(14, 'directors(id)')},...directors(name)&order=id`);
    const names = Array.from({ length: 14 }, (_, index) => `e${index}`);
    expect(body).toHaveLength(4);
    for (const row of body as Record<string, unknown>[]) {
      expect(names.map((name) => row[name])).toEqual(names.map(() => row.e0));
    }
    expect(body).toMatchObject([{ e13: { id: 1 }, name: 'Agnes' }, {}, {}, { e13: null, name: null }]);
  });
});

describe('conditions on the parents of an inner embed', () => {
  const conditions = (query: string, read?: TestRead) =>
    reads.plan(parseQuery(query), read).text.split('exists (').length - 1;
  const nested = 'screenings!inner(id,tickets!inner(id))';
  const call = { source: { name: 'called', rows: sql`select * from studio.films` } };
  const copies = Array.from({ length: 10 }, (_, i) => `e${i}:screenings!inner(id)`).join();
  const filters = Array.from({ length: 10 }, (_, i) => `e${i}.hall=eq.red`).join('&');

  it.each<[query: string, expected: number, read?: TestRead]>([
    ['select=id,screenings!inner(id)&screenings.hall=eq.red', 1],
    ['select=id,screenings!inner(id)&screenings.or=(hall.eq.red,sold.gt.1)', 1],
    ['select=id,screenings!inner(id)&screenings.hall=eq.red&screenings.limit=1', 1, { rootLimit: 2 }],
    ['select=id,...screenings!inner(id)&screenings.hall=eq.red', 1],
    ['select=id,actors!inner(id)&actors.name=eq.Yuri', 1],
    ['select=id,screenings!inner(id)&screenings.hall=eq.red', 1, call],
    // One on films, which contains one on screenings, and one on screenings.
    [`select=id,${nested}&screenings.tickets.price=gt.1`, 3],
    ['select=id,screenings!inner(id,tickets())&screenings.tickets=not.is.null', 3],
    [`select=id,${copies}&${filters}`, 8],
  ])('repeat its conditions: %s', (query, expected, read) => {
    expect(conditions(query, read)).toBe(expected);
  });

  it.each<[name: string, query: string, expected: number, read?: TestRead]>([
    ['it has none', 'select=id,screenings!inner(id)', 0],
    ['it is not required', 'select=id,screenings(id)&screenings.hall=eq.red', 0],
    ['there is one parent', 'select=id,screenings!inner(id)&screenings.hall=eq.red&id=eq.1', 0],
    ['there is one parent on each level', `select=id,${nested}&screenings.tickets.price=gt.1&id=eq.1`, 1],
    ['it is a plain join', 'select=id,directors!inner(id)&directors.name=eq.Bela', 0],
    ['a function returns its rows', 'select=id,rivals!inner(id)&rivals.id=eq.3', 0],
    [
      'a function returns the filtered field',
      'select=id,films!inner(id)&films.shout=eq.X',
      0,
      { relation: 'directors' },
    ],
    ['it is a view', 'select=id,recent_films!inner(id)&recent_films.id=gt.1', 0, { relation: 'directors' }],
    ['it is an aggregate', 'select=id,screenings!inner(count())&screenings.hall=eq.red', 0],
    ['it may be an aggregate', 'select=id,screenings!inner(count)&screenings.hall=eq.red', 0],
    ['the rows were written', 'select=id,screenings!inner(id)&screenings.hall=eq.red', 0, { isWrite: true }],
  ])('are not added if %s', (_, query, expected, read) => {
    expect(conditions(query, read)).toBe(expected);
  });

  it.each<[query: string, expected: number, read?: TestRead]>([
    ['select=id,directors!inner(id)&directors.name=eq.Bela', 1, { maxRows: 5 }],
    ['select=id,directors!inner(id)&directors.name=eq.Bela&directors.limit=1', 1],
    ['select=id,films!inner(id,actors!inner(id))&films.actors.name=eq.Yuri', 2, { relation: 'screenings' }],
  ])('are added to an embed of one row that is no plain join: %s', (query, expected, read) => {
    expect(conditions(query, read)).toBe(expected);
  });
});
