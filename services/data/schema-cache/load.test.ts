import { type Database, openDatabase, type Statement } from '@greenroom/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Studio, THEATRE } from '../testing/studio/studio.ts';
import { loadSchemaCache } from './load.ts';
import { keyOf } from './schema-cache.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await Studio.open(THEATRE);
});
afterAll(() => studio.close());

/** Loads the cache as the role of a service that has no rights in these schemas. */
function loadTheatre() {
  return loadSchemaCache(studio.database.auth, { ...THEATRE, generation: 1 });
}

/** A database that records which statements are sent together. */
function noting(flushes: (readonly Statement[])[]): Database {
  return {
    ...studio.database.auth,
    transaction: (work) =>
      studio.database.auth.transaction((tx) =>
        work({
          ...tx,
          commit: (statements = []) => {
            flushes.push(statements);
            return tx.commit(statements);
          },
        }),
      ),
  };
}

describe('loadSchemaCache', () => {
  it('takes one flush', async () => {
    const flushes: (readonly Statement[])[] = [];
    await loadSchemaCache(noting(flushes), { ...THEATRE, generation: 7 });
    expect(flushes).toHaveLength(1);
    expect(flushes[0]?.[0]?.text).toContain('read only');
  });

  it('returns the given generation', async () => {
    const { generation } = await loadSchemaCache(studio.database.auth, { ...THEATRE, generation: 7 });
    expect(generation).toBe(7);
  });

  it('does not change the search path of the connection', async () => {
    const path = { text: 'show search_path' };
    const before = await studio.database.auth.query(path);
    await loadTheatre();
    expect(await studio.database.auth.query(path)).toEqual(before);
  });

  it('returns the same cache to a superuser and an unprivileged role', async () => {
    const asSuperuser = await loadSchemaCache(studio.database.admin, { ...THEATRE, generation: 1 });
    expect(await loadTheatre()).toEqual(asSuperuser);
  });

  it('returns the same cache for any search path of the login role', async () => {
    const url = new URL(studio.database.url);
    url.searchParams.set('options', '-c search_path=theatre,backstage');
    const other = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
    const cache = await loadSchemaCache(other, { ...THEATRE, generation: 1 }).finally(() => other.close());
    expect(cache).toEqual(await loadTheatre());
  });

  it('returns an empty cache without exposed schemas', async () => {
    const cache = await loadSchemaCache(studio.database.auth, {
      schemas: [],
      extraSearchPath: [],
      generation: 1,
    });
    expect([cache.relations.size, cache.relationships.size, cache.functions.size]).toEqual([0, 0, 0]);
  });

  it('reads the listed settings of functions', async () => {
    const cache = await loadSchemaCache(studio.database.auth, {
      ...THEATRE,
      generation: 1,
      hoistedSettings: ['Work_Mem'],
    });
    const [careful] = cache.functions.get(keyOf({ schema: 'theatre', name: 'careful' })) ?? [];
    expect(careful).toMatchObject({ isolation: 'repeatable read', settings: [['work_mem', '8MB']] });
  });

  it('loads the system schemas of PostgreSQL with their complex views', async () => {
    const cache = await loadSchemaCache(studio.database.auth, {
      schemas: ['pg_catalog', 'information_schema'],
      extraSearchPath: [],
      generation: 1,
    });
    expect(cache.relations.size).toBeGreaterThan(150);
  });
});
