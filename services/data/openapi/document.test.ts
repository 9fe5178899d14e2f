import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf, type Relation, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { apiDocument, type DescribeOptions, describeApi } from './document.ts';
import type { ApiDescription, PathItem } from './swagger.ts';
import { LIBRARY, Library } from './testing/library.ts';

let library: Library;
let anon: ApiDescription;
let service: ApiDescription;
beforeAll(async () => {
  library = await Library.open(LIBRARY);
  anon = await library.describe();
  service = await library.describe({ role: 'service_role' });
});
afterAll(() => library.close());

const methodsOf = (document: ApiDescription) =>
  Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item).join()]));
const propertiesOf = (name: string) => service.definitions[name]?.properties;
const referencesOf = (item: PathItem | undefined, method: keyof PathItem) =>
  item?.[method]?.parameters?.map((each) => ('$ref' in each ? each.$ref.replace('#/parameters/', '') : each));

describe('the OpenAPI document', () => {
  it.each([
    ['of anon', () => library.describe()],
    ['of service_role', () => library.describe({ role: 'service_role' })],
    ['of all roles', () => library.describe({ mode: 'ignore-privileges', isSecurityActive: true })],
    ['of an unknown schema', () => library.describe({ schema: 'x' })],
  ])('%s is valid Swagger 2.0', async (_, document) => {
    await expect(SwaggerParser.validate(JSON.parse(JSON.stringify(await document())))).resolves.toBeDefined();
  });

  it('has title and description from the comment of the schema', () => {
    expect(anon.info).toEqual({
      title: 'Library API',
      description: 'Books, and\nwho has them.',
      version: '1.2.3',
    });
  });

  it('has a default title without a comment', async () => {
    const { info } = await library.describe({ schema: 'annex' });
    expect(info).toEqual({
      title: 'Greenroom data API',
      description: 'Generated from the tables, views and functions of a database',
      version: '1.2.3',
    });
  });

  it.each([
    ['http://127.0.0.1:54321/rest/v1', '127.0.0.1:54321', '/rest/v1', 'http'],
    ['https://example.org/rest/v1', 'example.org:443', '/rest/v1', 'https'],
    ['https://example.org:8443', 'example.org:8443', '/', 'https'],
    ['http://example.org/a', 'example.org:80', '/a', 'http'],
  ])('describes %s as host %s, base path %s and scheme %s', async (url, host, basePath, scheme) => {
    expect(await library.describe({ url })).toMatchObject({ host, basePath, schemes: [scheme] });
  });

  it('has security definitions only if requested', async () => {
    expect(anon).not.toHaveProperty('security');
    expect(anon).not.toHaveProperty('securityDefinitions');
    const { security, securityDefinitions } = await library.describe({ isSecurityActive: true });
    expect(security).toEqual([{ JWT: [] }]);
    expect(securityDefinitions?.JWT).toMatchObject({ type: 'apiKey', in: 'header', name: 'Authorization' });
  });

  it('is the same text for equal input', async () => {
    const options: DescribeOptions = {
      schema: 'library',
      accessible: await library.accessible(),
      url: 'http://127.0.0.1:54321/rest/v1',
      version: '1.2.3',
      isSecurityActive: false,
    };
    expect(apiDocument(library.cache, options)).toBe(apiDocument(library.cache, options));
    expect(JSON.parse(apiDocument(library.cache, options))).toEqual(anon);
  });
});

describe('paths', () => {
  it('are limited to what anon may use', () => {
    expect(methodsOf(anon)).toEqual({
      '/': 'get',
      '/authors': 'get',
      '/books': 'get',
      '/counts': 'get',
      '/letters': 'get,patch',
      '/names': 'get',
      '/novels': 'get',
      '/types': 'get',
      '/waste': 'delete',
      '/rpc/add': 'get,post',
      '/rpc/by_genres': 'get,post',
      '/rpc/find': 'get,post',
      '/rpc/keep': 'post',
      '/rpc/kinds': 'get,post',
      '/rpc/store': 'post',
      '/rpc/tidy': 'post',
    });
  });

  it('have the methods that a relation supports if privileges are ignored', async () => {
    const all = await library.describe({ mode: 'ignore-privileges' });
    expect(methodsOf(all)).toEqual(methodsOf(service));
    expect(methodsOf(all)).toMatchObject({
      '/books': 'get,post,delete,patch',
      '/novels': 'get,post,delete,patch',
      '/counts': 'get',
      '/names': 'get',
      '/years': 'get,post,delete,patch',
      '/rpc/burn': 'post',
    });
    expect(all.paths).not.toHaveProperty('/gold');
    expect(all.paths).not.toHaveProperty('/year_2026');
  });

  it('of a relation accept its columns as filters, except reserved names', () => {
    const { '/books': books } = service.paths;
    const filters = ['id', 'author_id', 'crate_id', 'first_id', 'name', 'genre'].map(
      (column) => `rowFilter.books.${column}`,
    );
    const reading = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'];
    expect(referencesOf(books, 'get')).toEqual([...filters, ...reading]);
    expect(referencesOf(books, 'post')).toEqual(['body.books', 'select', 'preferPost']);
    expect(referencesOf(books, 'patch')).toEqual([...filters, 'body.books', 'preferReturn']);
    expect(referencesOf(books, 'delete')).toEqual([...filters, 'preferReturn']);
    expect(service.definitions.books?.properties).toHaveProperty('order');
  });

  it('of a relation describe their responses', () => {
    const { '/authors': authors } = service.paths;
    expect(authors?.get).toMatchObject({
      tags: ['authors'],
      summary: 'Who writes',
      description: 'books,\nmostly',
      responses: {
        200: { description: 'OK', schema: { type: 'array', items: { $ref: '#/definitions/authors' } } },
        206: { description: 'Partial Content' },
      },
    });
    expect(authors?.post?.responses).toEqual({ 201: { description: 'Created' } });
    expect(authors?.patch?.responses).toEqual({ 204: { description: 'No Content' } });
    expect(authors?.delete?.responses).toEqual({ 204: { description: 'No Content' } });
    expect(service.paths['/books']?.get).not.toHaveProperty('summary');
  });
});

describe('paths of functions', () => {
  it('have arguments in the query string', () => {
    const { get } = service.paths['/rpc/find'] ?? {};
    expect(get).toMatchObject({
      tags: ['(rpc) find'],
      summary: 'Finds books',
      description: 'by a part of their name',
      responses: { 200: { description: 'OK' } },
    });
    expect(get?.parameters).toEqual([
      { name: 'title', required: true, in: 'query', type: 'string', format: 'text' },
      { name: 'genre', required: false, in: 'query', type: 'string', format: 'genre' },
      {
        name: 'words',
        required: false,
        in: 'query',
        type: 'array',
        items: { type: 'string', format: 'text' },
        collectionFormat: 'multi',
      },
    ]);
    expect(service.paths['/rpc/kinds']?.get?.parameters).toEqual([
      { name: 'j', required: true, in: 'query', type: 'string', format: 'json' },
      { name: 'js', required: true, in: 'query', type: 'string', format: 'jsonb[]' },
      { name: 'two', required: false, in: 'query', type: 'integer', format: 'int32' },
    ]);
  });

  it('have arguments in a body', () => {
    expect(service.paths['/rpc/find']?.post?.parameters).toEqual([
      {
        name: 'args',
        required: true,
        in: 'body',
        schema: {
          description: 'Finds books\n\nby a part of their name',
          required: ['title'],
          type: 'object',
          properties: {
            title: { type: 'string', format: 'text' },
            genre: { type: 'string', format: 'genre' },
            words: { type: 'array', format: 'text[]', items: { type: 'string' } },
          },
        },
      },
      { $ref: '#/parameters/preferParams' },
    ]);
    expect(service.paths['/rpc/tidy']?.post?.parameters?.[0]).toMatchObject({
      schema: { type: 'object', properties: {} },
    });
  });

  it('take the whole body for an unnamed parameter and exclude GET', () => {
    expect(service.paths['/rpc/store']).not.toHaveProperty('get');
    expect(service.paths['/rpc/store']?.post).toMatchObject({
      consumes: ['application/octet-stream'],
      parameters: [{ schema: { type: 'string', format: 'bytea' } }, {}],
    });
    expect(service.paths['/rpc/keep']?.post).toMatchObject({
      consumes: ['application/json'],
      parameters: [{ schema: { format: 'json' } }, {}],
    });
  });

  it('combine all overloads that the role may call', () => {
    const schemaOf = (document: ApiDescription) => document.paths['/rpc/add']?.post?.parameters?.[0];
    expect(schemaOf(service)).toMatchObject({
      schema: { required: ['a', 'b'], properties: { a: {}, b: {}, c: { type: 'number' } } },
    });
    expect(JSON.stringify(schemaOf(anon))).not.toContain('"c"');
    // The one with three parameters is volatile.
    expect(service.paths['/rpc/add']?.get?.parameters).toHaveLength(2);
  });
});

describe('definitions', () => {
  it('describe keys in the words that code generators expect', () => {
    expect(propertiesOf('books')).toMatchObject({
      id: { description: 'Note:\nThis is a Primary Key.<pk/>' },
      author_id: {
        description: "Note:\nThis is a Foreign Key to `authors.id`.<fk table='authors' column='id'/>",
      },
      first_id: {
        description: "Note:\nThis is a Foreign Key to `books.id`.<fk table='books' column='id'/>",
      },
    });
    expect(propertiesOf('novels')?.author_id?.description).toContain("<fk table='authors' column='id'/>");
    expect(propertiesOf('lendings')).toMatchObject({
      book_id: {
        description:
          "Note:\nThis is a Primary Key.<pk/>\nThis is a Foreign Key to `books.id`.<fk table='books' column='id'/>",
      },
      day: { description: 'Note:\nThis is a Primary Key.<pk/>' },
    });
  });

  it('describe no composite keys and no keys to another schema', () => {
    expect(propertiesOf('books')?.crate_id).not.toHaveProperty('description');
    expect(propertiesOf('returns')?.book_id).not.toHaveProperty('description');
  });

  it('contain comments before the notes about keys', () => {
    expect(service.definitions.authors?.description).toBe('Who writes\r\n\r\nbooks,\nmostly');
    expect(propertiesOf('authors')).toMatchObject({
      id: { description: 'Counts up\n\nNote:\nThis is a Primary Key.<pk/>' },
      name: { description: 'As on the spine' },
    });
    expect(service.parameters['rowFilter.authors.name']).toEqual({
      name: 'name',
      description: 'As on the spine',
      required: false,
      in: 'query',
      type: 'string',
    });
  });

  it('list the required columns', () => {
    expect(service.definitions.books?.required).toEqual(['id', 'genre']);
    expect(service.definitions.counts).not.toHaveProperty('required');
    expect(service.definitions.types?.required).toEqual(['a_mark', 'a_place', 'always']);
    expect(service.definitions.nothing).toEqual({ type: 'object', properties: {} });
  });

  it('contain all columns, even without a privilege', () => {
    expect(Object.keys(anon.definitions.letters?.properties ?? {})).toEqual(['id', 'text', 'sender']);
    expect(anon.definitions).not.toHaveProperty('secrets');
    expect(anon.parameters).not.toHaveProperty('body.secrets');
  });

  it('contain types, defaults, enum labels and lengths', () => {
    expect(propertiesOf('types')).toEqual({
      a_smallint: { type: 'integer', format: 'int32', default: 1 },
      an_integer: { type: 'integer', format: 'int32', default: -2 },
      a_bigint: { type: 'integer', format: 'int64' },
      a_numeric: { type: 'number', format: 'numeric', default: 1.5 },
      a_real: { type: 'number', format: 'real' },
      a_double: { type: 'number', format: 'double precision', default: -0.25 },
      a_boolean: { type: 'boolean', format: 'boolean', default: true },
      a_text: { type: 'string', format: 'text', default: 'now()' },
      a_varchar: { type: 'string', format: 'character varying', default: 'x', maxLength: 40 },
      a_varchar_free: { type: 'string', format: 'character varying' },
      a_char: { type: 'string', format: 'character', default: 'yy', maxLength: 2 },
      a_bit: { type: 'string', format: 'bit', maxLength: 3 },
      a_uuid: { type: 'string', format: 'uuid', default: 'gen_random_uuid()' },
      a_bytea: { type: 'string', format: 'bytea' },
      a_date: { type: 'string', format: 'date', default: '2026-01-01' },
      a_time: { type: 'string', format: 'timestamp with time zone', default: 'CURRENT_TIMESTAMP' },
      an_interval: { type: 'string', format: 'interval', default: '1 day' },
      a_json: { format: 'json' },
      a_jsonb: { format: 'jsonb' },
      an_array: { type: 'array', format: 'integer[]', items: { type: 'integer' } },
      texts: { type: 'array', format: 'text[]', items: { type: 'string' } },
      jsons: { type: 'array', format: 'jsonb[]', items: {} },
      genres: { type: 'array', format: 'library.genre[]', items: { type: 'string' } },
      a_genre: {
        type: 'string',
        format: 'library.genre',
        default: "it's poetry",
        enum: ['novel', "it's poetry"],
      },
      a_mood: { type: 'string', format: 'library.genre', enum: ['novel', "it's poetry"] },
      a_mark: { type: 'string', format: 'character varying', default: 'A-1', maxLength: 12 },
      a_place: { type: 'string', format: 'character varying', default: 'A-1', maxLength: 12 },
      an_inet: { type: 'string', format: 'inet' },
      a_range: { type: 'string', format: 'int4range' },
      a_null: { type: 'string', format: 'text' },
      a_backslash: { type: 'string', format: 'text', default: 'a\\b' },
      a_sum: { type: 'integer', format: 'int32' },
      a_row: { type: 'string', format: 'library.authors' },
      generated: { type: 'integer', format: 'int32' },
      always: { type: 'integer', format: 'int32' },
    });
  });
});

describe('unusual names', () => {
  const odd = ['__proto__', 'constructor', 'a/b', '~', '{id}', 'ä "b" \'c\'', '%41', '?#', ' ', '$ref', '😀'];

  function relationOf(name: string): Relation {
    const column = {
      name,
      description: null,
      isNullable: false,
      type: 'integer',
      baseType: 'integer',
      maxLength: null,
      default: null,
      enumLabels: [],
    };
    return {
      schema: '__proto__',
      name,
      description: null,
      isView: false,
      isInsertable: true,
      isUpdatable: true,
      isDeletable: true,
      primaryKey: [name],
      columns: new Map([[name, column]]),
    };
  }

  function cacheOf(relations: readonly Relation[]): SchemaCache {
    return {
      relations: new Map(relations.map((relation) => [keyOf(relation), relation])),
      relationships: new Map(),
      functions: new Map(
        relations.map((relation) => [
          keyOf(relation),
          [
            {
              schema: relation.schema,
              name: relation.name,
              description: null,
              parameters: [
                {
                  name: relation.name,
                  type: 'text',
                  typeWithModifier: 'text',
                  isRequired: true,
                  isVariadic: false,
                },
              ],
              result: {
                isSet: false,
                shape: { kind: 'scalar', type: { schema: 'pg_catalog', name: 'text' }, isVoid: false },
              },
              volatility: 'stable',
              hasVariadic: false,
              isolation: undefined,
              settings: [],
            },
          ],
        ]),
      ),
      representations: [],
      mediaHandlers: [],
      generation: 1,
    };
  }

  const options: DescribeOptions = {
    schema: '__proto__',
    accessible: { description: null, relations: undefined, functions: undefined },
    url: 'https://example.org',
    version: '1',
    isSecurityActive: false,
  };

  it.each(odd)('are supported: %s', (name) => {
    const document = describeApi(cacheOf([relationOf(name)]), options);
    expect(Object.keys(document.definitions)).toEqual([name]);
    const definition = Object.getOwnPropertyDescriptor(document.definitions, name)?.value;
    expect(Object.keys(definition.properties)).toEqual([name]);
    expect(definition.required).toEqual([name]);
    expect(Object.keys(document.paths)).toHaveLength(3);
    expect(Object.keys(document.parameters)).toContain(`rowFilter.${name}.${name}`);
    expect(Object.getPrototypeOf(document.definitions)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('properties');
  });

  it('lead to a valid document with resolvable references', async () => {
    // The validator does not accept this name as an own key.
    const text = apiDocument(cacheOf(odd.filter((name) => name !== '__proto__').map(relationOf)), options);
    await expect(SwaggerParser.validate(JSON.parse(text))).resolves.toBeDefined();
  });
});
