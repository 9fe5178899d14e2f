import { CatalogueError } from '@greenroom/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../query/parse-query.ts';
import { Studio } from '../testing/studio/studio.ts';
import { neededColumns } from './needed-columns.ts';
import type { ReadNode } from './read-node.ts';
import { planRead, type ReadOptions } from './read-plan.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await Studio.open();
});
afterAll(() => studio.close());

function plan(query: string, relation = 'films', options: ReadOptions = { allowsAggregates: true }) {
  return planRead(
    parseQuery(query),
    studio.cache,
    { relation: { schema: 'studio', name: relation } },
    options,
  );
}

function refusal(query: string, relation?: string, options?: ReadOptions): CatalogueError {
  try {
    plan(query, relation, options);
  } catch (error) {
    if (error instanceof CatalogueError) return error;
    throw error;
  }
  throw new Error('it was planned');
}

describe('planRead with an invalid query', () => {
  it.each<[query: string, status: number, code: string, relation?: string, options?: ReadOptions]>([
    ['select=nothing(id)', 400, 'PGRST200'],
    ['select=directors!nothing(id)', 400, 'PGRST200'],
    ['select=actors(nothing(id))', 400, 'PGRST200'],
    ['select=directors(id)', 400, 'PGRST200', 'employees'],
    ['select=employees(id)', 300, 'PGRST201', 'employees'],
    ['directors.id=eq.1', 400, 'PGRST108'],
    ['select=directors(id)&actors.id=eq.1', 400, 'PGRST108'],
    ['select=directors(id)&directors.films.id=eq.1', 400, 'PGRST108'],
    ['select=d:directors(id)&directors.id=eq.1', 400, 'PGRST108', 'films', { allowsTargetNames: false }],
    ['directors.or=(id.eq.1)', 400, 'PGRST108'],
    ['directors.order=id', 400, 'PGRST108'],
    ['directors.limit=1', 400, 'PGRST108'],
    ['directors.offset=1', 400, 'PGRST108'],
    ['order=directors(name)', 400, 'PGRST108'],
    ['select=d:directors(id)&order=directors(name)', 400, 'PGRST108'],
    ['select=actors(id)&order=actors(name)', 400, 'PGRST118'],
    ['select=rivals(id)&order=rivals(title)', 400, 'PGRST118'],
    ['select=count()', 400, 'PGRST123', 'films', {}],
    ['select=id.max()', 400, 'PGRST123', 'films', {}],
    ['select=directors(films(id.max()))', 400, 'PGRST123', 'films', {}],
    ['select=...actors(id.max())', 400, 'PGRST127'],
    ['select=...actors(count())', 400, 'PGRST127'],
    ['select=...screenings(...films(count()))', 400, 'PGRST127', 'films'],
    ['select=...films(...directors(count()))', 400, 'PGRST127', 'actors'],
  ])('rejects %s with %d %s', (query, status, code, relation, options) => {
    const error = refusal(query, relation, options);
    expect([error.status, error.code]).toEqual([status, code]);
  });

  it('lists the candidate relationships', () => {
    const { extra } = refusal('select=employees(id)', 'employees');
    expect(extra?.details).toHaveLength(2);
    expect(extra?.hint).toContain('employees!employees_manager_id_fkey');
  });

  it('has a hint to the alias', () => {
    const { extra } = refusal('select=d:directors(id)&directors.id=eq.1', 'films', {
      allowsTargetNames: false,
    });
    expect(extra?.hint).toContain("'d'");
  });

  it('has a hint to a similar name', () => {
    expect(refusal('select=directorz(id)').extra?.hint).toContain("'directors'");
  });
});

describe('planRead', () => {
  it('accepts unknown columns', () => {
    expect(() => plan('select=nothing,count&nothing=eq.1&order=nothing')).not.toThrow();
  });

  it('returns no relation if the schema cache lacks it', () => {
    expect(plan('select=id', 'nothing_known').relation).toBeUndefined();
  });

  it('gives each node a unique alias', () => {
    const root = plan('select=films(directors(films(id)),actors(id)),f:films(id)', 'directors', {});
    const namesOf = ({ alias, embeds }: ReadNode): string[] => [
      alias,
      ...embeds.flatMap((embed) => [embed.alias, ...namesOf(embed.node)]),
    ];
    const names = namesOf(root);
    expect(new Set(names).size).toBe(names.length);
  });

  it('records a reference to an embedding by its target', () => {
    const { embeds } = plan('select=d:directors(id),a:actors(id)&directors.id=eq.1&a.id=eq.1');
    expect(embeds.map(({ isReferencedByTarget }) => isReferencedByTarget)).toEqual([true, false]);
  });
});

describe('neededColumns', () => {
  it.each<[query: string, columns: string[] | undefined]>([
    ['select=id,n:title,facts->a,shout', ['id', 'title', 'facts', 'shout']],
    ['select=id&order=year', ['id', 'year']],
    ['select=id,directors(name),actors(name)', ['id', 'director_id']],
    ['select=title,films(id)', ['title', 'id']],
    ['select=*', undefined],
    ['', undefined],
    ['select=id,rivals(id)', undefined],
  ])('returns for %s the columns %j', (query, columns) => {
    const needed = neededColumns(plan(query));
    expect(needed && [...needed]).toEqual(columns);
  });

  it.each<[query: string, columns: string[] | undefined]>([
    ['select=id,title', ['id', 'title']],
    ['select=id,directors(name)', ['id', 'director_id']],
    // The function needs all of the row.
    ['select=id,shout', undefined],
    ['select=id&order=shout', undefined],
    ['select=id,facts->a', ['id', 'facts']],
  ])('returns for a write with %s the columns %j', (query, columns) => {
    const relation = { schema: 'studio', name: 'films' };
    const target = { relation, cte: 'written' };
    const needed = neededColumns(planRead(parseQuery(query), studio.cache, target, { isWrite: true }));
    expect(needed && [...needed]).toEqual(columns);
  });
});
