import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest } from '../testing/data-server.ts';

const SQL = `
  create schema zoo;
  grant usage on schema zoo to anon, authenticated;
  create type zoo.mood as enum ('calm', 'wild');
  create table zoo.keepers (id int primary key, name text not null);
  create table zoo.animals (
    id bigint generated always as identity primary key,
    name varchar(30) not null default 'nobody',
    keeper_id int references zoo.keepers,
    is_large boolean default true,
    weight numeric,
    tags text[],
    facts jsonb,
    mood zoo.mood default 'calm',
    born date default '2030-01-02'
  );
  create table zoo.badges (keeper_id int primary key references zoo.keepers);
  create view zoo.animal_names as select id, name from zoo.animals;
  create materialized view zoo.heavy as select id from zoo.animals;
  create table zoo.visits (day date primary key, guests int) partition by range (day);
  create table zoo.visits_2030 partition of zoo.visits for values from ('2030-01-01') to ('2031-01-01');
  create table zoo.payroll (id int primary key);
  comment on schema zoo is $c$Zoo API

All that lives
and those who care$c$;
  comment on table zoo.animals is $c$Animals

All of them,
dead or alive$c$;
  comment on view zoo.animal_names is 'Names only';
  comment on column zoo.animals.id is 'Number on the cage';
  comment on column zoo.animals.weight is 'In kilograms';
  create function zoo.feed(animal bigint, amount int default 1) returns void language sql as '';
  comment on function zoo.feed is $c$Feeds

One animal$c$;
  create function zoo.count_animals(variadic names text[]) returns bigint stable language sql as 'select 1::bigint';
  create function zoo.largest() returns setof zoo.animals immutable language sql as 'select * from zoo.animals';
  create function zoo.measured(inout size int, out unit text) immutable language sql as 'select 1, ''m''';
  create function zoo.pay() returns void language sql as '';
  revoke execute on function zoo.pay from public;
  grant select, insert, update, delete on all tables in schema zoo to authenticated;
  grant select on zoo.animals, zoo.animal_names, zoo.heavy, zoo.visits, zoo.keepers, zoo.badges to anon;
  create domain zoo."application/openapi+json" as json;
  create function zoo.own_root() returns zoo."application/openapi+json" stable language sql
    as $f$ select '{"swagger": "2.0", "info": {"title": "Own"}}'::json $f$;
  create schema park;
  grant usage on schema park to anon, authenticated;
  create function zoo.guide() returns text stable language sql as $f$ select 'zoo' $f$;
  create function park.guide() returns text stable language sql as $f$ select 'park' $f$;
`;

interface Document {
  swagger: string;
  info: { title: string; description?: string };
  host: string;
  basePath: string;
  schemes: string[];
  paths: Record<string, Record<string, Operation>>;
  definitions: Record<string, Definition>;
  parameters: Record<string, unknown>;
  security?: unknown;
  securityDefinitions?: unknown;
}
interface Operation {
  tags: string[];
  summary?: string;
  description?: string;
  parameters: (Record<string, unknown> & { $ref?: string; name?: string; schema?: unknown })[];
  responses: Record<string, unknown>;
}
interface Definition {
  description?: string;
  required?: string[];
  properties: Record<string, Record<string, unknown>>;
}

const EXPOSED = { PGRST_DB_SCHEMAS: 'zoo' };
let server: DataServer;
beforeAll(async () => {
  server = await DataServer.open(SQL, EXPOSED);
});
afterAll(() => server.close());
const documentOf = async (server: DataServer, request: WireRequest = {}) =>
  (await server.request('/', request)).json as Document;

describe('the OpenAPI document', () => {
  let document: Document;
  beforeAll(async () => {
    document = await documentOf(server);
  });

  it.each([undefined, '*/*', 'application/json', 'application/openapi+json', 'text/html, */*;q=0.1'])(
    'is returned for Accept: %s',
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      const response = await server.request('/', { headers });
      expect([response.status, response.header('content-type')]).toEqual([
        200,
        'application/openapi+json; charset=utf-8',
      ]);
      expect(response.header('content-length')).toBe(String(Buffer.byteLength(response.text)));
      const head = await server.request('/', { method: 'HEAD', headers });
      expect([head.status, head.header('content-type'), head.text, head.header('content-length')]).toEqual([
        200,
        'application/openapi+json; charset=utf-8',
        '',
        null,
      ]);
    },
  );

  it.each<[path: string, request: WireRequest, status: number, code: string]>([
    ['/', { headers: { accept: 'text/csv' } }, 406, 'PGRST107'],
    ['/animals', { headers: { accept: 'application/openapi+json' } }, 406, 'PGRST107'],
    ['/', { method: 'POST' }, 405, 'PGRST117'],
    ['/', { method: 'PATCH' }, 405, 'PGRST117'],
    ['/', { method: 'DELETE' }, 405, 'PGRST117'],
  ])('is not returned for %s %j', async (path, request, status, code) => {
    const response = await server.request(path, request);
    expect([response.status, response.json]).toMatchObject([status, { code }]);
  });

  it('contains the comments of schema, relations and functions', () => {
    expect(document.swagger).toBe('2.0');
    expect(document.info).toMatchObject({
      title: 'Zoo API',
      description: 'All that lives\nand those who care',
    });
    expect(document.paths['/animals']?.get).toMatchObject({
      tags: ['animals'],
      summary: 'Animals',
      description: 'All of them,\ndead or alive',
    });
    expect(document.paths['/animal_names']?.get?.summary).toBe('Names only');
    expect(document.definitions.animal_names?.description).toBe('Names only');
    expect(document.paths['/rpc/feed']?.post).toMatchObject({ summary: 'Feeds', description: 'One animal' });
  });

  it('describes types, defaults and keys of columns', () => {
    const { properties, required } = document.definitions.animals ?? { properties: {} };
    expect(required).toEqual(['id', 'name']);
    expect(properties).toEqual({
      id: {
        type: 'integer',
        format: 'int64',
        description: 'Number on the cage\n\nNote:\nThis is a Primary Key.<pk/>',
      },
      name: { type: 'string', format: 'character varying', maxLength: 30, default: 'nobody' },
      keeper_id: {
        type: 'integer',
        format: 'int32',
        description: "Note:\nThis is a Foreign Key to `keepers.id`.<fk table='keepers' column='id'/>",
      },
      is_large: { type: 'boolean', format: 'boolean', default: true },
      weight: { type: 'number', format: 'numeric', description: 'In kilograms' },
      tags: { type: 'array', format: 'text[]', items: { type: 'string' } },
      facts: { format: 'jsonb' },
      mood: { type: 'string', format: 'zoo.mood', enum: ['calm', 'wild'], default: 'calm' },
      born: { type: 'string', format: 'date', default: '2030-01-02' },
    });
    expect(document.definitions.badges?.properties.keeper_id?.description).toContain(
      "<fk table='keepers' column='id'/>",
    );
  });

  it('describes parameters and responses of a relation', async () => {
    const refs = (operation: Operation | undefined) => operation?.parameters.map(({ $ref }) => $ref);
    expect(refs(document.paths['/keepers']?.get)).toEqual(
      [
        'rowFilter.keepers.id',
        'rowFilter.keepers.name',
        'select',
        'order',
        'range',
        'rangeUnit',
        'offset',
        'limit',
        'preferCount',
      ].map((name) => `#/parameters/${name}`),
    );
    expect(document.paths['/keepers']?.get?.responses).toMatchObject({
      '200': { schema: { type: 'array', items: { $ref: '#/definitions/keepers' } } },
    });
    const all = await documentOf(server, { claims: { role: 'authenticated' } });
    expect(refs(all.paths['/keepers']?.post)).toEqual(
      ['body.keepers', 'select', 'preferPost'].map((name) => `#/parameters/${name}`),
    );
    expect(all.paths['/keepers']?.post?.responses).toMatchObject({ '201': { description: 'Created' } });
    expect(all.paths['/keepers']?.patch?.responses).toMatchObject({ '204': { description: 'No Content' } });
    expect(all.paths['/keepers']?.delete?.responses).toMatchObject({ '204': { description: 'No Content' } });
  });

  it('lists views and partitioned tables, but no partitions', () => {
    expect(Object.keys(document.definitions).toSorted()).toEqual([
      'animal_names',
      'animals',
      'badges',
      'heavy',
      'keepers',
      'visits',
    ]);
  });

  it('lists methods and parameters of functions', () => {
    const methods = (name: string) => Object.keys(document.paths[`/rpc/${name}`] ?? {}).toSorted();
    expect(methods('feed')).toEqual(['post']);
    expect(methods('count_animals')).toEqual(['get', 'post']);
    expect(methods('largest')).toEqual(['get', 'post']);
    const body = document.paths['/rpc/feed']?.post?.parameters.find(({ name }) => name === 'args')?.schema;
    expect(body).toMatchObject({
      required: ['animal'],
      properties: {
        animal: { type: 'integer', format: 'int64' },
        amount: { type: 'integer', format: 'int32' },
      },
    });
    const inout = document.paths['/rpc/measured']?.post?.parameters.find(
      ({ name }) => name === 'args',
    )?.schema;
    expect(inout).toMatchObject({ required: ['size'] });
    const names = document.paths['/rpc/count_animals']?.get?.parameters.find(({ name }) => name === 'names');
    expect(names).toMatchObject({ in: 'query', type: 'array', collectionFormat: 'multi' });
  });

  it('lists only the paths and methods that the role may use', async () => {
    expect(document.paths).not.toHaveProperty('/payroll');
    expect(document.paths).not.toHaveProperty('/rpc/pay');
    const all = await documentOf(server, { claims: { role: 'authenticated' } });
    expect(all.paths).toHaveProperty('/payroll');
    expect(Object.keys(document.paths['/keepers'] ?? {})).toEqual(['get']);
    expect(Object.keys(all.paths['/keepers'] ?? {}).toSorted()).toEqual(['delete', 'get', 'patch', 'post']);
  });

  it('omits security definitions by default', () => {
    expect(document).not.toHaveProperty('security');
    expect(document).not.toHaveProperty('securityDefinitions');
  });

  it('follows changes of the schema', async () => {
    await server.change('create table zoo.cages (id int); grant select on zoo.cages to anon');
    const paths = async () => (await documentOf(server)).paths;
    await expect.poll(paths, { timeout: 10_000 }).toHaveProperty('/cages');
    await server.change('drop table zoo.cages');
    await expect.poll(paths, { timeout: 10_000 }).not.toHaveProperty('/cages');
  });
});

/** Opens another server with these settings for one test. */
async function within(
  settings: Record<string, string>,
  test: (other: DataServer) => Promise<void>,
): Promise<void> {
  const other = await server.startAnother({ ...EXPOSED, ...settings });
  try {
    await test(other);
  } finally {
    await other.close();
  }
}

describe('OpenAPI settings', () => {
  it('list all paths with ignore-privileges', () =>
    within({ PGRST_OPENAPI_MODE: 'ignore-privileges' }, async (other) => {
      const { paths } = await documentOf(other);
      expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/payroll', '/rpc/pay', '/keepers']));
      expect(Object.keys(paths['/keepers'] ?? {}).toSorted()).toEqual(['delete', 'get', 'patch', 'post']);
    }));

  it('disable the document with disabled', () =>
    within({ PGRST_OPENAPI_MODE: 'disabled' }, async (other) => {
      const response = await other.request('/', { headers: { accept: 'application/openapi+json' } });
      expect([response.status, response.json]).toMatchObject([
        404,
        { code: 'PGRST126', details: null, hint: null },
      ]);
    }));

  it('add security definitions', () =>
    within({ PGRST_OPENAPI_SECURITY_ACTIVE: 'true' }, async (other) => {
      const { security, securityDefinitions } = await documentOf(other);
      expect(security).toEqual([{ JWT: [] }]);
      expect(securityDefinitions).toMatchObject({
        JWT: { type: 'apiKey', name: 'Authorization', in: 'header' },
      });
    }));

  it.each([
    ['https://api.example.org/rest', 'api.example.org:443', '/rest', ['https']],
    ['http://127.0.0.1:8080', '127.0.0.1:8080', '/', ['http']],
  ])('set host and base path to %s', (uri, host, basePath, schemes) =>
    within({ PGRST_OPENAPI_SERVER_PROXY_URI: uri }, async (other) => {
      expect(await documentOf(other)).toMatchObject({ host, basePath, schemes });
    }),
  );

  it('call the root function of the named schema, not of the requested one', () =>
    within({ PGRST_DB_SCHEMAS: 'zoo,park', PGRST_DB_ROOT_SPEC: 'park.guide' }, async (other) => {
      expect((await other.request('/')).json).toBe('park');
      expect((await other.request('/rpc/guide')).json).toBe('zoo');
    }));

  it('return the document of the root function', () =>
    within({ PGRST_DB_ROOT_SPEC: 'own_root' }, async (other) => {
      for (const [accept, type] of [
        ['application/openapi+json', 'application/openapi+json; charset=utf-8'],
        ['application/json', 'application/json; charset=utf-8'],
        ['*/*', 'application/json; charset=utf-8'],
      ] as const) {
        const response = await other.request('/', { headers: { accept } });
        expect([response.status, response.header('content-type')]).toEqual([200, type]);
        expect(response.json).toEqual({ swagger: '2.0', info: { title: 'Own' } });
      }
    }));
});
