import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAccessible, signatureOf } from './accessible.ts';
import { LIBRARY, Library } from './testing/library.ts';

let library: Library;
beforeAll(async () => {
  library = await Library.open(LIBRARY);
});
afterAll(() => library.close());

const READ_ONLY = { isReadable: true, isInsertable: false, isUpdatable: false, isDeletable: false };

describe('the accessible objects of a role', () => {
  it('include relations with a privilege on any column, unless the API cannot use them', async () => {
    const { relations } = await library.accessible();
    expect(Object.fromEntries(relations ?? [])).toEqual({
      authors: READ_ONLY,
      books: READ_ONLY,
      novels: READ_ONLY,
      types: READ_ONLY,
      counts: { ...READ_ONLY, isInsertable: true },
      names: { ...READ_ONLY, isInsertable: true },
      letters: { ...READ_ONLY, isUpdatable: true },
      waste: { ...READ_ONLY, isReadable: false, isDeletable: true },
    });
  });

  it('depend on the role and exclude partitions', async () => {
    const { relations } = await library.accessible({ role: 'service_role' });
    expect(relations?.get('secrets')).toEqual({
      isReadable: true,
      isInsertable: true,
      isUpdatable: true,
      isDeletable: true,
    });
    expect(relations?.has('years')).toBe(true);
    expect(relations?.has('year_2026')).toBe(false);
  });

  it('include the executable overloads of functions', async () => {
    const anon = (await library.accessible()).functions;
    const service = (await library.accessible({ role: 'service_role' })).functions;
    expect([...(service ?? [])].filter((each) => !anon?.has(each))).toEqual([
      signatureOf('add', ['integer', 'integer', 'numeric']),
      signatureOf('burn', ['integer']),
    ]);
    expect(anon).toContain(signatureOf('add', ['integer', 'integer']));
    expect(anon).not.toContain(signatureOf('rehearse', []));
  });

  it.each([[['library', 'public']], [['public']], [[]]])(
    'have the type names of the schema cache with the search path %j',
    async (searchPath) => {
      const { functions } = await library.accessible({ role: 'service_role', searchPath });
      const known = [...library.cache.functions.values()]
        .flat()
        .filter(({ schema }) => schema === 'library')
        .map(({ name, parameters }) =>
          signatureOf(
            name,
            parameters.map(({ type }) => type),
          ),
        );
      expect(known.filter((each) => !functions?.has(each))).toEqual([]);
    },
  );

  it('are empty for a schema without USAGE and for an unknown schema', async () => {
    const noPrivileges = { relations: new Map(), functions: new Set(), description: null };
    expect(await library.accessible({ schema: 'backstage' })).toEqual(noPrivileges);
    expect(await library.accessible({ schema: "no'schema" })).toEqual(noPrivileges);
    const { relations, functions } = await library.accessible({ schema: 'backstage', role: 'service_role' });
    expect([[...(relations?.keys() ?? [])], functions]).toEqual([
      ['gold'],
      new Set([signatureOf('open', [])]),
    ]);
  });

  it('are not queried with ignore-privileges, unlike the comment of the schema', async () => {
    expect(await library.accessible({ mode: 'ignore-privileges' })).toEqual({
      description: 'Library API\n\nBooks, and\nwho has them.',
      relations: undefined,
      functions: undefined,
    });
  });

  it('are the same text for the same role', async () => {
    expect(await library.runAccessible()).toEqual(await library.runAccessible());
    expect(await library.runAccessible()).not.toEqual(await library.runAccessible({ role: 'service_role' }));
  });
});

it.each(['[]', '{"description":1,"relations":null,"functions":null}', '{"description":null}', 'x'])(
  'rejects %s as accessible objects',
  (body) => {
    expect(() => readAccessible(Buffer.from(body))).toThrow();
  },
);
