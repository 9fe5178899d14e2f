/**
 * Rows as GeoJSON, which PostGIS makes. The tests' own PostgreSQL has no PostGIS, but a function of the same name that
 * does the little that is asked for here; where POSTGIS_URL names a superuser of one that has it, the same is tested there.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest } from '../testing/data-server.ts';

const { POSTGIS_URL } = process.env;
const GEOJSON = 'application/geo+json';
const visitor = `visitor_${randomBytes(4).toString('hex')}`;

/** How places are kept. */
interface Kind {
  postgresUrl: string | undefined;
  role: string;
  prepare: string;
  type: string;
  /** A point as a client writes it. */
  point: (x: number, y: number) => unknown;
  cleanUp?: string;
}

const STAND_IN: Kind = {
  postgresUrl: undefined,
  role: 'anon',
  prepare: `
    create function extensions.st_asgeojson(r record, geom_column text default '', digits int default 9, pretty boolean default false)
    returns text immutable language plpgsql as $f$
      declare
        columns jsonb := to_jsonb(r);
        place text := (select key from jsonb_each(columns) where jsonb_typeof(value) = 'object' and value ? 'coordinates' limit 1);
      begin
        if place is null then
          raise 'geometry column is missing' using errcode = '22023';
        end if;
        return json_build_object('type', 'Feature', 'geometry', columns -> place, 'properties', columns - place);
      end $f$;`,
  type: 'jsonb',
  point: (x, y) => ({ type: 'Point', coordinates: [x, y] }),
};

const POSTGIS: Kind = {
  postgresUrl: POSTGIS_URL,
  role: visitor,
  prepare: `
    create schema extensions;
    create extension postgis schema extensions;
    create role ${visitor} nologin;
    grant usage on schema public, extensions to ${visitor};
    alter default privileges grant all on tables to ${visitor};`,
  type: 'extensions.geometry(Point, 4326)',
  point: (x, y) => `SRID=4326;POINT(${x} ${y})`,
  cleanUp: `drop owned by ${visitor}; drop role ${visitor};`,
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Lighthouses, and lamps that have no place of their own. */
const fixtureOf = ({ prepare, type, point }: Kind) => `${prepare}
  create table lights (id int primary key, name text, place ${type});
  create table lamps (id int primary key, light_id int references lights, watts int);
  insert into lights values
    (1, 'Söderskär', '${textOf(point(25.25, 60.125))}'), (2, 'Utö', '${textOf(point(21.5, 59.75))}');
  insert into lamps values (7, 1, 500);
  create function light(id int) returns setof lights stable language sql
    as 'select * from lights where lights.id = light.id';`;

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
const feature = (geometry: object, properties: object) => ({ type: 'Feature', geometry, properties });
const SODERSKAR = point(25.25, 60.125);

describe.each([
  ['a stand-in for PostGIS', STAND_IN],
  ...(POSTGIS_URL === undefined ? [] : [['PostGIS', POSTGIS] as [string, Kind]]),
])('GeoJSON with %s', (_name, kind) => {
  let server: DataServer;
  beforeAll(async () => {
    const settings = {
      PGRST_DB_EXTRA_SEARCH_PATH: 'public, extensions',
      PGRST_DB_ANON_ROLE: kind.role,
      PGRST_DB_TX_END: 'rollback',
    };
    server = await DataServer.open(fixtureOf(kind), settings, { postgresUrl: kind.postgresUrl });
  });
  afterAll(async () => {
    if (kind.cleanUp !== undefined) await server.change(kind.cleanUp);
    await server.close();
  });

  const request = (path: string, request: WireRequest = {}) =>
    server.request(path, { ...request, headers: { accept: GEOJSON, ...request.headers } });
  const writing = (method: string, body?: unknown): WireRequest => ({
    method,
    headers: { 'content-type': 'application/json', prefer: 'return=representation' },
    ...(body !== undefined && { body }),
  });

  it.each<[path: string, features: object[]]>([
    [
      '/lights?order=id',
      [feature(SODERSKAR, { id: 1, name: 'Söderskär' }), feature(point(21.5, 59.75), { id: 2, name: 'Utö' })],
    ],
    ['/lights?id=eq.1&select=id,place', [feature(SODERSKAR, { id: 1 })]],
    ['/lights?id=gt.9', []],
    ['/lights?limit=0', []],
    [
      '/lights?id=eq.1&select=*,lamps(watts)',
      [feature(SODERSKAR, { id: 1, name: 'Söderskär', lamps: [{ watts: 500 }] })],
    ],
    ['/rpc/light?id=1', [feature(SODERSKAR, { id: 1, name: 'Söderskär' })]],
  ])('returns %s as a feature collection', async (path, features) => {
    const response = await request(path);
    expect([response.status, response.header('content-type'), response.json]).toEqual([
      200,
      `${GEOJSON}; charset=utf-8`,
      { type: 'FeatureCollection', features },
    ]);
  });

  it.each<[method: string, path: string, body: unknown, status: number, features: object[]]>([
    [
      'POST',
      '/lights',
      { id: 4, name: 'Kallo', place: kind.point(21.25, 61.5) },
      201,
      [feature(point(21.25, 61.5), { id: 4, name: 'Kallo' })],
    ],
    ['PATCH', '/lights?id=eq.1', { name: 'S' }, 200, [feature(SODERSKAR, { id: 1, name: 'S' })]],
    [
      'PUT',
      '/lights?id=eq.2',
      { id: 2, name: 'U', place: kind.point(1.5, 2.5) },
      200,
      [feature(point(1.5, 2.5), { id: 2, name: 'U' })],
    ],
    ['DELETE', '/lights?id=eq.2', undefined, 200, [feature(point(21.5, 59.75), { id: 2, name: 'Utö' })]],
  ])(
    'returns the rows written by %s %s as a feature collection',
    async (method, path, body, status, features) => {
      const response = await request(path, writing(method, body));
      expect([response.status, response.header('content-type'), response.json]).toEqual([
        status,
        `${GEOJSON}; charset=utf-8`,
        { type: 'FeatureCollection', features },
      ]);
    },
  );

  it('rejects rows without a geometry', async () => {
    const response = await request('/lamps');
    expect([response.status, response.json]).toEqual([
      400,
      { code: '22023', details: null, hint: null, message: 'geometry column is missing' },
    ]);
  });

  it('returns no body to HEAD', async () => {
    const response = await request('/lights', { method: 'HEAD' });
    expect([response.status, response.text, response.header('content-type')]).toEqual([
      200,
      '',
      `${GEOJSON}; charset=utf-8`,
    ]);
  });
});

describe('GeoJSON without PostGIS', () => {
  it('is rejected because st_asgeojson is missing', async () => {
    const server = await DataServer.open(
      'create table lights (id int primary key); insert into lights values (1)',
    );
    try {
      const response = await server.request('/lights', { headers: { accept: GEOJSON } });
      expect([response.status, response.json, response.header('content-type')]).toMatchObject([
        404,
        { code: '42883', message: 'function st_asgeojson(record) does not exist', details: null },
        'application/json; charset=utf-8',
      ]);
      expect((await server.request('/lights')).json).toEqual([{ id: 1 }]);
    } finally {
      await server.close();
    }
  });
});
