import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer, WireRequest } from '../testing/data-server.ts';
import { openHarbour } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour({ PGRST_DB_EXTRA_SEARCH_PATH: 'public,cellar', PGRST_DB_TX_END: 'commit' });
});
afterAll(() => server.close());

type Case = [path: string, rows: unknown];

/** Each path is asked for, and answered with these rows. */
function expectRows(cases: readonly Case[]): void {
  it.each(cases)('returns the embedded rows of %s', async (path, rows) => {
    const response = await server.request(path);
    expect(response.json).toEqual(rows);
    expect(response.status).toBe(200);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  });
}

type Refusal = [path: string, status: number, error: Record<string, unknown>];

/** Each path is rejected. The error has at least these members. */
function refuses(cases: readonly Refusal[]): void {
  it.each(cases)('rejects %s with status %i', async (path, status, error) => {
    const response = await server.request(path);
    expect(response.json).toMatchObject(error);
    expect(response.status).toBe(status);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  });
}

describe('a many-to-one embedding', () => {
  expectRows([
    [
      '/telescopes?select=name,domes(id,name)&order=id',
      [
        { name: 'Heron', domes: { id: 1, name: 'North' } },
        { name: 'Wren', domes: { id: 1, name: 'North' } },
        { name: 'Stork', domes: { id: 2, name: 'South' } },
        { name: 'Finch', domes: null },
      ],
    ],
    ['/telescopes?select=name,house:domes(name)&id=eq.3', [{ name: 'Stork', house: { name: 'South' } }]],
    [
      '/telescopes?select=dome_id,domes(*)&id=eq.3',
      [{ dome_id: 2, domes: { id: 2, name: 'South', warden_id: null } }],
    ],
  ]);
});

describe('a one-to-many embedding', () => {
  expectRows([
    [
      '/domes?select=name,telescopes(name)&order=id&telescopes.order=id',
      [
        { name: 'North', telescopes: [{ name: 'Heron' }, { name: 'Wren' }] },
        { name: 'South', telescopes: [{ name: 'Stork' }] },
        { name: 'Empty', telescopes: [] },
      ],
    ],
  ]);
});

describe('a many-to-many embedding', () => {
  expectRows([
    [
      '/astronomers?select=given_name,telescopes(name)&order=id&telescopes.order=id',
      [
        { given_name: 'Vera', telescopes: [{ name: 'Heron' }] },
        { given_name: 'Idris', telescopes: [{ name: 'Heron' }, { name: 'Wren' }] },
        { given_name: 'Aki', telescopes: [{ name: 'Stork' }] },
      ],
    ],
    ['/targets?select=name,telescopes(name)&id=eq.1', [{ name: 'Rigel', telescopes: [{ name: 'Heron' }] }]],
    // A pair of rows that is there twice is there twice.
    [
      '/targets?select=name,telescopes(name)&id=eq.3',
      [{ name: 'Ceres', telescopes: [{ name: 'Stork' }, { name: 'Stork' }] }],
    ],
    [
      '/papers?select=title,astronomers(surname)&id=eq.3',
      [{ title: 'On fire', astronomers: [{ surname: 'Holm' }] }],
    ],
  ]);
});

describe('a one-to-one embedding', () => {
  expectRows([
    [
      '/telescopes?select=name,manuals(pages),mounts(kind)&order=id',
      [
        { name: 'Heron', manuals: { pages: 120 }, mounts: { kind: 'fork' } },
        { name: 'Wren', manuals: { pages: 30 }, mounts: { kind: null } },
        { name: 'Stork', manuals: { pages: 75 }, mounts: null },
        { name: 'Finch', manuals: null, mounts: null },
      ],
    ],
    [
      '/mounts?select=id,telescopes(name)&id=in.(1,3)&order=id',
      [
        { id: 1, telescopes: { name: 'Heron' } },
        { id: 3, telescopes: null },
      ],
    ],
  ]);
});

describe('a computed relationship', () => {
  expectRows([
    [
      '/visits?select=visitor,telescope(name)&order=id',
      [
        { visitor: 'school', telescope: { name: 'Heron' } },
        { visitor: 'press', telescope: { name: 'Heron' } },
        { visitor: 'club', telescope: { name: 'Stork' } },
        { visitor: 'lost', telescope: null },
      ],
    ],
    ['/visits?select=visitor,at:telescope_alone(name)&id=eq.3', [{ visitor: 'club', at: { name: 'Stork' } }]],
    [
      '/telescopes?select=name,visits(visitor)&order=id&visits.order=visitor',
      [
        { name: 'Heron', visits: [{ visitor: 'press' }, { visitor: 'school' }] },
        { name: 'Wren', visits: [] },
        { name: 'Stork', visits: [{ visitor: 'club' }] },
        { name: 'Finch', visits: [] },
      ],
    ],
    [
      '/visits?select=visitor,telescope!inner(name)&telescope.name=eq.Stork',
      [{ visitor: 'club', telescope: { name: 'Stork' } }],
    ],
    ['/visits?select=visitor,telescope()&telescope=is.null', [{ visitor: 'lost' }]],
    [
      '/visits?select=visitor,telescope(id)&order=telescope(id).desc.nullslast,id&limit=2',
      [
        { visitor: 'club', telescope: { id: 3 } },
        { visitor: 'school', telescope: { id: 1 } },
      ],
    ],
    ['/visits?select=visitor,...telescope(at:name)&id=eq.1', [{ visitor: 'school', at: 'Heron' }]],
    [
      '/domes?select=name,telescopes(name,visits(visitor))&id=eq.2',
      [{ name: 'South', telescopes: [{ name: 'Stork', visits: [{ visitor: 'club' }] }] }],
    ],
    [
      '/rpc/all_visits?select=visitor,telescope(name,domes(name))&id=eq.3',
      [{ visitor: 'club', telescope: { name: 'Stork', domes: { name: 'South' } } }],
    ],
    // They win over keys, and each relation has its own function of a name.
    ['/deliveries?select=goods,domes(name)', [{ goods: 'bolts', domes: null }]],
    ['/deliveries?select=goods,domes!inner(name)', []],
    ['/parcels?select=dome_name,domes(id)', [{ dome_name: 'North', domes: [{ id: 1 }] }]],
  ]);

  it('restricts the exact count with an inner join', async () => {
    const headers = { prefer: 'count=exact' };
    const path = '/visits?select=visitor,telescope!inner(name)&telescope.name=eq.Heron';
    expect((await server.request(path, { headers })).header('content-range')).toBe('0-1/2');
  });

  refuses([
    [
      '/telescopes?select=name,visits(visitor)&order=visits(visitor)',
      400,
      {
        code: 'PGRST118',
        hint: null,
      },
    ],
  ]);
});

describe('embedding with several relationships', () => {
  it('rejects an ambiguous name with a hint for each relationship', async () => {
    const { status, json } = await server.request('/transfers?select=*,domes(*)');
    expect(status).toBe(300);
    expect(json).toEqual({
      code: 'PGRST201',
      message: "Could not embed because more than one relationship was found for 'transfers' and 'domes'",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'transfers with domes',
          relationship: 'arrival using transfers(to_dome_id) and domes(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'transfers with domes',
          relationship: 'departure using transfers(from_dome_id) and domes(id)',
        },
      ],
      hint: "Try changing 'domes' to one of the following: 'domes!arrival', 'domes!departure'. Find the desired relationship in the 'details' key.",
    });
  });

  it.each<[path: string, relationships: string[]]>([
    [
      '/campaigns?select=targets(*)',
      [
        'many-to-one: main_target using campaigns(main_target_id) and targets(id)',
        'many-to-many: campaign_targets using campaign_targets_campaign_id_fkey(campaign_id) and campaign_targets_target_id_fkey(target_id)',
      ],
    ],
    [
      '/domes?select=astronomers(*)',
      [
        'many-to-one: warden using domes(warden_id) and astronomers(id)',
        'one-to-many: home_dome using domes(id) and astronomers(home_dome_id)',
      ],
    ],
    [
      '/cases?select=eyepieces(*)',
      [
        'one-to-one: upper_slot using cases(upper_id) and eyepieces(id)',
        'one-to-one: lower_slot using cases(lower_id) and eyepieces(id)',
      ],
    ],
  ])('lists all candidate relationships of %s', async (path, relationships) => {
    const { status, json } = await server.request(path);
    expect([status, (json as { code: string }).code]).toEqual([300, 'PGRST201']);
    const { details } = json as { details: { cardinality: string; relationship: string }[] };
    expect(details.map((each) => `${each.cardinality}: ${each.relationship}`).toSorted()).toEqual(
      relationships.toSorted(),
    );
  });

  expectRows([
    // By the name of the constraint.
    [
      '/transfers?select=label,out:domes!departure(name),in:domes!arrival(name)&id=eq.1',
      [{ label: 'mirror', out: { name: 'North' }, in: { name: 'South' } }],
    ],
    [
      '/domes?select=name,out:transfers!departure(label),in:transfers!arrival(label)&id=eq.1&out.order=id',
      [{ name: 'North', out: [{ label: 'mirror' }, { label: 'lens' }], in: [{ label: 'lens' }] }],
    ],
    [
      '/transfers?select=label,departure(name),arrival(name)&id=eq.1',
      [{ label: 'mirror', departure: { name: 'North' }, arrival: { name: 'South' } }],
    ],
    // By the column of the key.
    [
      '/transfers?select=label,out:domes!from_dome_id(name),in:domes!to_dome_id(name)&id=eq.3',
      [{ label: 'clock', out: { name: 'South' }, in: null }],
    ],
    [
      '/transfers?select=from_dome_id(name),to_dome_id(id)&id=eq.1',
      [{ from_dome_id: { name: 'North' }, to_dome_id: { id: 2 } }],
    ],
    [
      '/transfers?select=label,from_dome_id,out:from_dome_id(name)&from_dome_id=eq.2',
      [{ label: 'clock', from_dome_id: 2, out: { name: 'South' } }],
    ],
    [
      '/domes?select=name,transfers!to_dome_id(label)&id=eq.2',
      [{ name: 'South', transfers: [{ label: 'mirror' }] }],
    ],
    // By the junction, and by the direct key.
    [
      '/campaigns?select=title,targets!campaign_targets(name)&id=eq.1&targets.order=id',
      [{ title: 'Bright', targets: [{ name: 'Rigel' }, { name: 'Vega' }] }],
    ],
    [
      '/campaigns?select=title,targets!main_target(name)&id=eq.1',
      [{ title: 'Bright', targets: { name: 'Rigel' } }],
    ],
    [
      '/campaigns?select=title,main_target_id(name)&id=eq.1',
      [{ title: 'Bright', main_target_id: { name: 'Rigel' } }],
    ],
    // Either way through a junction with two keys to one table.
    [
      '/papers?select=title,cites:citations!citing(...papers!cited(title))&id=eq.3&cites.order=cited_id',
      [{ title: 'On fire', cites: [{ title: 'On dust' }, { title: 'On ice' }] }],
    ],
    [
      '/papers?select=title,citations!cited(...papers!citing(title))&id=eq.2',
      [{ title: 'On ice', citations: [{ title: 'On fire' }] }],
    ],
  ]);

  refuses([
    [
      '/transfers?select=domes!nowhere(*)',
      400,
      {
        code: 'PGRST200',
        message: "Could not find a relationship between 'transfers' and 'domes' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'transfers' and 'domes' using the hint 'nowhere' in the schema 'public', but no matches were found.",
        hint: null,
      },
    ],
  ]);
});

describe('a self-referencing embedding', () => {
  expectRows([
    [
      '/keepers?select=surname,predecessor(surname),successor(surname)&id=eq.2',
      [{ surname: 'Boyd', predecessor: { surname: 'Ames' }, successor: { surname: 'Cole' } }],
    ],
    [
      '/crew?select=name,subordinates(name)&id=eq.1&subordinates.order=id',
      [{ name: 'Tove', subordinates: [{ name: 'Ulf' }, { name: 'Vik' }] }],
    ],
    ['/crew?select=name,chief(name)&id=eq.3', [{ name: 'Vik', chief: { name: 'Tove' } }]],
    [
      '/members?select=handle,followers(handle),followed(handle)&id=eq.4&followers.order=id',
      [
        {
          handle: 'quasar',
          followers: [{ handle: 'comet' }, { handle: 'nova' }],
          followed: [{ handle: 'pulsar' }],
        },
      ],
    ],
    // Without functions: the name of the table is one direction, that of the column is the other.
    ['/crew?select=name,crew(name)&id=eq.2', [{ name: 'Ulf', crew: [{ name: 'Yrsa' }] }]],
    [
      '/crew?select=name,chief_id(name,chief_id(name))&id=eq.4',
      [{ name: 'Yrsa', chief_id: { name: 'Ulf', chief_id: { name: 'Tove' } } }],
    ],
    [
      '/crew?select=name,below:crew!chief_id(name,below:crew!chief_id(name))&id=eq.1&below.order=id',
      [
        {
          name: 'Tove',
          below: [
            { name: 'Ulf', below: [{ name: 'Yrsa' }] },
            { name: 'Vik', below: [] },
          ],
        },
      ],
    ],
    [
      '/crew?select=name,up:chief_id(name,down:crew!chief_id(name))&id=eq.4',
      [{ name: 'Yrsa', up: { name: 'Ulf', down: [{ name: 'Yrsa' }] } }],
    ],
  ]);
});

describe('embedding of a partitioned table', () => {
  expectRows([
    [
      '/readings?select=taken_on,photons,telescopes(name)&photons=gte.700&order=taken_on',
      [
        { taken_on: '2030-05-01', photons: 900, telescopes: { name: 'Heron' } },
        { taken_on: '2031-05-01', photons: 700, telescopes: { name: 'Heron' } },
      ],
    ],
    [
      '/telescopes?select=name,readings(photons)&id=eq.1&readings.order=photons',
      [{ name: 'Heron', readings: [{ photons: 700 }, { photons: 900 }] }],
    ],
  ]);
  refuses([
    ['/telescopes?select=name,readings_2030(photons)', 400, { code: 'PGRST200' }],
    ['/readings_2030', 404, { code: 'PGRST205' }],
  ]);
});

describe('embedding of a view', () => {
  expectRows([
    // Through a view that is searched, but not exposed, and from one view to another.
    ['/telescope_names?select=name,domes(name)&id=eq.1', [{ name: 'Heron', domes: { name: 'North' } }]],
    [
      '/telescope_names?select=name,dome_summary(name)&id=eq.3',
      [{ name: 'Stork', dome_summary: { name: 'South' } }],
    ],
    [
      '/domes?select=name,telescope_names(name)&id=eq.2',
      [{ name: 'South', telescope_names: [{ name: 'Stork' }] }],
    ],
    [
      '/sighting_report?select=target_name,telescopes(aperture),manuals(pages),astronomers(surname)&magnitude=eq.0.1&astronomers.order=id',
      [
        {
          target_name: 'Rigel',
          telescopes: { aperture: 2.5 },
          manuals: { pages: 120 },
          astronomers: [{ surname: 'Holm' }, { surname: 'Baum' }],
        },
      ],
    ],
    [
      '/short_report?select=target_name,targets(kind)&target_name=eq.Rigel',
      [{ target_name: 'Rigel', targets: { kind: 'star' } }],
    ],
    [
      '/dome_summary?select=name,telescopes(name)&id=eq.2',
      [{ name: 'South', telescopes: [{ name: 'Stork' }] }],
    ],
    [
      '/telescopes?select=name,dome_summary(name)&id=eq.2',
      [{ name: 'Wren', dome_summary: { name: 'North' } }],
    ],
    [
      '/telescopes?select=name,dome_summary!inner(name)&dome_summary.name=eq.South',
      [{ name: 'Stork', dome_summary: { name: 'South' } }],
    ],
    [
      '/transfers?select=label,dome_summary!departure(name)&id=eq.3',
      [{ label: 'clock', dome_summary: { name: 'South' } }],
    ],
  ]);
  refuses([
    [
      '/everybody?select=surname,domes(name)',
      400,
      {
        code: 'PGRST200',
        details:
          "Searched for a foreign key relationship between 'everybody' and 'domes' in the schema 'public', but no matches were found.",
      },
    ],
    // The junction is not exposed.
    ['/astronomers?select=surname,targets(name)', 400, { code: 'PGRST200' }],
  ]);
});

describe('embedding in the rows of a function', () => {
  expectRows([
    [
      '/rpc/large_telescopes?select=name,domes(name)&name=like.*or*',
      [{ name: 'Stork', domes: { name: 'South' } }],
    ],
    [
      '/rpc/telescope_rows?select=name,house:domes(name),shifts(duty)&id=eq.3',
      [{ name: 'Stork', house: { name: 'South' }, shifts: [{ duty: 'lead' }] }],
    ],
    [
      '/rpc/one_telescope?id=1&select=name,manuals(pages),astronomers(surname)&astronomers.order=id',
      {
        name: 'Heron',
        manuals: { pages: 120 },
        astronomers: [{ surname: 'Holm' }, { surname: 'Baum' }],
      },
    ],
    [
      '/rpc/large_telescopes?select=id,domes(id)&domes.name=not.is.null&order=id',
      [
        { id: 1, domes: { id: 1 } },
        { id: 3, domes: { id: 2 } },
      ],
    ],
  ]);
});

describe('embedding in written rows', () => {
  const headers = { prefer: 'return=representation', 'content-type': 'application/json' };

  it.each<[name: string, path: string, request: WireRequest, status: number, rows: unknown]>([
    [
      'returns the parent of an inserted row',
      '/telescopes?select=name,house:domes(name)',
      {
        method: 'POST',
        headers,
        body: { id: 90, name: 'Crane', dome_id: 2 },
      },
      201,
      [{ name: 'Crane', house: { name: 'South' } }],
    ],
    [
      'returns the parent of an updated row',
      '/telescopes?id=eq.90&select=name,domes(name)',
      {
        method: 'PATCH',
        headers,
        body: { dome_id: 1 },
      },
      200,
      [{ name: 'Crane', domes: { name: 'North' } }],
    ],
    [
      'returns parent and children of a deleted row',
      '/telescopes?id=eq.90&select=name,domes(name),visits(visitor)',
      {
        method: 'DELETE',
        headers,
      },
      200,
      [{ name: 'Crane', domes: { name: 'North' }, visits: [] }],
    ],
    [
      'returns the computed relationship of an inserted row',
      '/visits?select=visitor,telescope(name)',
      {
        method: 'POST',
        headers,
        body: { id: 90, visitor: 'choir', telescope_no: 2 },
      },
      201,
      [{ visitor: 'choir', telescope: { name: 'Wren' } }],
    ],
    [
      'returns the computed relationship of a deleted row',
      '/visits?id=eq.90&select=visitor,telescope(name)',
      {
        method: 'DELETE',
        headers,
      },
      200,
      [{ visitor: 'choir', telescope: { name: 'Wren' } }],
    ],
  ])('%s', async (_name, path, request, status, rows) => {
    const response = await server.request(path, request);
    expect([response.status, response.json]).toEqual([status, rows]);
    expect(response.header('preference-applied')).toBe('return=representation');
  });
});

describe('nested embedding', () => {
  expectRows([
    [
      '/astronomers?select=shifts(duty,telescopes(name,aperture))&id=eq.1',
      [{ shifts: [{ duty: 'lead', telescopes: { name: 'Heron', aperture: 2.5 } }] }],
    ],
  ]);
});

describe('filters, order and limits of an embedding', () => {
  expectRows([
    [
      '/telescopes?select=id,astronomers(surname)&astronomers.order=surname,given_name&id=eq.1',
      [{ id: 1, astronomers: [{ surname: 'Baum' }, { surname: 'Holm' }] }],
    ],
    [
      '/telescopes?select=id,shifts(duty)&shifts.duty=in.(optics,paint)&order=id',
      [
        { id: 1, shifts: [{ duty: 'optics' }] },
        { id: 2, shifts: [] },
        { id: 3, shifts: [] },
        { id: 4, shifts: [] },
      ],
    ],
    [
      '/telescopes?select=id,shifts(duty)&shifts.or=(duty.eq.optics,astronomer_id.eq.3)&id=in.(1,3)&order=id',
      [
        { id: 1, shifts: [{ duty: 'optics' }] },
        { id: 3, shifts: [{ duty: 'lead' }] },
      ],
    ],
    [
      '/domes?select=id,telescopes(id)&telescopes.order=id&telescopes.limit=1&telescopes.offset=1&order=id',
      [
        { id: 1, telescopes: [{ id: 2 }] },
        { id: 2, telescopes: [] },
        { id: 3, telescopes: [] },
      ],
    ],
    [
      '/telescopes?select=id,30s:readings(photons),31s:readings(photons)&30s.taken_on=lt.2031-01-01&31s.taken_on=gte.2031-01-01&id=eq.1',
      [{ id: 1, '30s': [{ photons: 900 }], '31s': [{ photons: 700 }] }],
    ],
    [
      '/domes?select=id,telescopes(id,astronomers(given_name))&telescopes.astronomers.order=surname&telescopes.astronomers.given_name=like.*r*&id=eq.1&telescopes.order=id',
      [
        {
          id: 1,
          telescopes: [
            { id: 1, astronomers: [{ given_name: 'Idris' }, { given_name: 'Vera' }] },
            { id: 2, astronomers: [{ given_name: 'Idris' }] },
          ],
        },
      ],
    ],
    [
      '/domes?select=id,scopes:telescopes(id,staff:astronomers(given_name))&scopes.staff.given_name=eq.Vera&scopes.id=eq.1&id=eq.1',
      [{ id: 1, scopes: [{ id: 1, staff: [{ given_name: 'Vera' }] }] }],
    ],
  ]);
  refuses([
    [
      '/telescopes?select=id&domes.name=eq.North',
      400,
      {
        code: 'PGRST108',
        message: "'domes' is not an embedded resource in this request",
        details: null,
      },
    ],
    ['/telescopes?select=id,domes(id)&domes.telescopes.limit=1', 400, { code: 'PGRST108' }],
    ['/telescopes?select=id,domes(id)&houses.order=id', 400, { code: 'PGRST108' }],
  ]);
});

describe('an inner join or null filter of an embedding', () => {
  expectRows([
    [
      '/domes?select=name,telescopes(name)&telescopes.name=eq.Wren&order=id',
      [
        { name: 'North', telescopes: [{ name: 'Wren' }] },
        { name: 'South', telescopes: [] },
        { name: 'Empty', telescopes: [] },
      ],
    ],
    [
      '/domes?select=name,telescopes!inner(name)&telescopes.name=eq.Wren',
      [{ name: 'North', telescopes: [{ name: 'Wren' }] }],
    ],
    ['/telescopes?select=name,domes!left(name)&id=eq.4', [{ name: 'Finch', domes: null }]],
    ['/telescopes?select=name,domes!inner(name)&id=eq.4', []],
    [
      '/transfers?select=label,domes!arrival!inner(name)&order=id',
      [
        { label: 'mirror', domes: { name: 'South' } },
        { label: 'lens', domes: { name: 'North' } },
      ],
    ],
    [
      '/transfers?select=label,domes!inner!arrival(name)&domes.name=eq.South',
      [{ label: 'mirror', domes: { name: 'South' } }],
    ],
    // Only an unbroken chain of inner joins reaches the top.
    [
      '/shifts?select=duty,telescopes!inner(domes!inner(name))&telescopes.domes.name=eq.South',
      [{ duty: 'lead', telescopes: { domes: { name: 'South' } } }],
    ],
    [
      '/shifts?select=duty,telescopes(id,domes!inner(name))&telescopes.domes.name=eq.South&order=telescope_id,astronomer_id',
      [
        { duty: 'lead', telescopes: null },
        { duty: 'optics', telescopes: null },
        { duty: 'lead', telescopes: null },
        { duty: 'lead', telescopes: { id: 3, domes: { name: 'South' } } },
      ],
    ],
    [
      '/domes?select=id,telescopes!inner(id,shifts(duty))&telescopes.shifts.duty=eq.optics&order=id&telescopes.order=id',
      [
        {
          id: 1,
          telescopes: [
            { id: 1, shifts: [{ duty: 'optics' }] },
            { id: 2, shifts: [] },
          ],
        },
        { id: 2, telescopes: [{ id: 3, shifts: [] }] },
      ],
    ],
    ['/astronomers?select=id,telescopes!inner(id)&telescopes.id=eq.2', [{ id: 2, telescopes: [{ id: 2 }] }]],
    // The same by a test for null, which looks at the row and not at its values.
    [
      '/domes?select=name,telescopes(name)&telescopes=not.is.null&telescopes.name=eq.Wren',
      [{ name: 'North', telescopes: [{ name: 'Wren' }] }],
    ],
    [
      '/telescopes?select=name,mounts(kind)&mounts=not.is.null&order=id',
      [
        { name: 'Heron', mounts: { kind: 'fork' } },
        { name: 'Wren', mounts: { kind: null } },
      ],
    ],
    [
      '/telescopes?select=name,mounts(kind)&mounts=is.null&order=id',
      [
        { name: 'Stork', mounts: null },
        { name: 'Finch', mounts: null },
      ],
    ],
    ['/targets?select=name,sightings()&sightings=is.null', [{ name: 'Nix' }]],
    ['/targets?select=name,seen:sightings()&seen=is.null', [{ name: 'Nix' }]],
    ['/astronomers?select=surname,telescopes()&telescopes.id=eq.1&telescopes=is.null', [{ surname: 'Mori' }]],
    [
      '/telescopes?select=name,domes(name),mounts(kind)&or=(domes.is.null,mounts.is.null)&order=id',
      [
        { name: 'Stork', domes: { name: 'South' }, mounts: null },
        { name: 'Finch', domes: null, mounts: null },
      ],
    ],
    [
      '/telescopes?select=name,domes(),manuals()&domes.name=eq.South&manuals.pages=gt.100&or=(domes.not.is.null,manuals.not.is.null)&order=id',
      [{ name: 'Heron' }, { name: 'Stork' }],
    ],
    [
      '/telescopes?select=name,d:domes(),m:manuals(),domes(name),manuals(pages)&d.name=eq.South&m.pages=gt.100&or=(d.not.is.null,m.not.is.null)&order=id',
      [
        { name: 'Heron', domes: { name: 'North' }, manuals: { pages: 120 } },
        { name: 'Stork', domes: { name: 'South' }, manuals: { pages: 75 } },
      ],
    ],
    [
      '/domes?select=id,telescopes(id,shifts())&telescopes.shifts=not.is.null&telescopes=not.is.null&order=id&telescopes.order=id',
      [
        { id: 1, telescopes: [{ id: 1 }, { id: 2 }] },
        { id: 2, telescopes: [{ id: 3 }] },
      ],
    ],
  ]);

  it.each<[path: string, range: string]>([
    ['/telescopes?select=id,domes!inner(id)', '0-2/3'],
    ['/telescopes?select=id,domes(id)&domes=is.null', '0-0/1'],
    ['/domes?select=id,telescopes!inner(id,shifts!inner(duty))&telescopes.shifts.duty=eq.optics', '0-0/1'],
    ['/shifts?select=duty,telescopes(id,domes!inner(name))&telescopes.domes.name=eq.South', '0-3/4'],
    [
      '/telescopes?select=name,domes(),manuals()&domes.name=eq.South&manuals.pages=gt.100&or=(domes.not.is.null,manuals.not.is.null)',
      '0-1/2',
    ],
  ])('excludes rows without a match from the exact count of %s', async (path, range) => {
    const headers = { prefer: 'count=exact' };
    for (const method of ['GET', 'HEAD']) {
      const response = await server.request(path, { method, headers });
      expect([response.status, response.header('content-range')]).toEqual([200, range]);
    }
  });

  it.each(['mounts=eq.1', 'mounts=not.eq.1', 'mounts=is.true', 'or=(mounts.eq.1,id.eq.1)'])(
    'rejects %s, because an embedding is comparable only with null',
    async (filter) => {
      const response = await server.request(`/telescopes?select=name,mounts(kind)&${filter}`);
      expect(response.status).toBe(400);
      expect(response.json).toMatchObject({
        code: '42703',
        message: 'column telescopes.mounts does not exist',
      });
    },
  );
});

describe('embedding without columns', () => {
  expectRows([
    ['/domes?select=name,telescopes()&telescopes.name=eq.Stork&telescopes=not.is.null', [{ name: 'South' }]],
    ['/domes?select=name,telescopes()&id=eq.1', [{ name: 'North' }]],
    ['/domes?select=name,telescopes(shifts())&id=eq.1', [{ name: 'North' }]],
    ['/telescopes?select=name,...domes()&id=eq.1', [{ name: 'Heron' }]],
    ['/domes?select=name,...telescopes()&id=eq.1', [{ name: 'North' }]],
  ]);
});

describe('order by embedded columns', () => {
  expectRows([
    [
      '/telescopes?select=name,domes(name)&order=domes(name).desc.nullslast,name',
      [
        { name: 'Stork', domes: { name: 'South' } },
        { name: 'Heron', domes: { name: 'North' } },
        { name: 'Wren', domes: { name: 'North' } },
        { name: 'Finch', domes: null },
      ],
    ],
    [
      '/telescopes?select=id,house:domes(name)&order=house(name).asc.nullsfirst,id.desc&limit=2',
      [
        { id: 4, house: null },
        { id: 2, house: { name: 'North' } },
      ],
    ],
    [
      '/telescopes?select=id,manuals()&order=manuals(notes->rank).asc&id=lt.4',
      [{ id: 2 }, { id: 3 }, { id: 1 }],
    ],
    [
      '/astronomers?select=id,shifts(telescopes(id))&shifts.order=telescopes(id).desc&id=eq.2',
      [{ id: 2, shifts: [{ telescopes: { id: 2 } }, { telescopes: { id: 1 } }] }],
    ],
  ]);
  refuses([
    [
      '/domes?select=*,telescopes(*)&order=telescopes(id)',
      400,
      {
        code: 'PGRST118',
      },
    ],
    [
      '/domes?select=*,scopes:telescopes(*)&order=scopes(id)',
      400,
      {
        code: 'PGRST118',
      },
    ],
    [
      '/telescopes?select=id&order=domes(name)',
      400,
      {
        code: 'PGRST108',
      },
    ],
  ]);
});

describe('spread embedding', () => {
  expectRows(
    [
      [
        '/telescopes?select=name,...domes(house:name,house_id:id)&id=in.(3,4)&order=id',
        [
          { name: 'Stork', house: 'South', house_id: 2 },
          { name: 'Finch', house: null, house_id: null },
        ],
      ],
      ['/telescopes?select=name,...mounts(kind)&id=eq.1', [{ name: 'Heron', kind: 'fork' }]],
      [
        '/shifts?select=duty,...telescopes(scope:name,...domes(house:name))&astronomer_id=eq.3',
        [{ duty: 'lead', scope: 'Stork', house: 'South' }],
      ],
      [
        '/shifts?select=duty,telescopes(name,...domes(house:name))&astronomer_id=eq.3',
        [{ duty: 'lead', telescopes: { name: 'Stork', house: 'South' } }],
      ],
      // To many: one list for each column, all in one order.
      [
        '/domes?select=name,...telescopes(scopes:name,sizes:aperture)&order=id&telescopes.order=name.desc',
        [
          { name: 'North', scopes: ['Wren', 'Heron'], sizes: [0.4, 2.5] },
          { name: 'South', scopes: ['Stork'], sizes: [4.0] },
          { name: 'Empty', scopes: [], sizes: [] },
        ],
      ],
      ['/domes?select=name,...telescopes(name)&id=eq.2', [{ name: ['Stork'] }]],
      [
        '/domes?select=house:name,...telescopes(*)&id=eq.2',
        [{ house: 'South', id: [3], name: ['Stork'], aperture: [4.0], dome_id: [2] }],
      ],
      ['/domes?select=name,...telescopes(scopes:name)&telescopes=is.null', [{ name: 'Empty', scopes: [] }]],
      [
        '/domes?select=house:name,...telescopes!inner(name)&order=id&telescopes.order=id',
        [
          { house: 'North', name: ['Heron', 'Wren'] },
          { house: 'South', name: ['Stork'] },
        ],
      ],
      [
        '/domes?select=house:name,...telescopes(name)&telescopes.name=not.like.*r&id=eq.1',
        [{ house: 'North', name: ['Heron', 'Wren'] }],
      ],
      [
        '/telescopes?select=name,...shifts(duties:duty)&id=eq.1&shifts.order=astronomer_id',
        [{ name: 'Heron', duties: ['lead', 'optics'] }],
      ],
      [
        '/telescopes?select=name,...astronomers(staff:surname)&id=eq.1&astronomers.order=id.desc',
        [{ name: 'Heron', staff: ['Baum', 'Holm'] }],
      ],
      // A row whose value is null is not the same as no row.
      ['/targets?select=...telescopes(sizes:aperture,houses:dome_id)&id=eq.4', [{ sizes: [], houses: [] }]],
      [
        '/astronomers?select=surname,...domes!warden(homes:warden_id)&id=in.(1,2)&order=id',
        [
          { surname: 'Holm', homes: [] },
          { surname: 'Baum', homes: [2] },
        ],
      ],
      [
        '/telescopes?select=name,...sightings(seen:magnitude,...targets(kinds:kind))&id=eq.2',
        [{ name: 'Wren', seen: [0.5], kinds: ['star'] }],
      ],
      [
        '/domes?select=name,...telescopes(scope:name,manuals(pages),...mounts(kinds:kind),...shifts(duties:duty))&id=eq.1&telescopes.order=name&telescopes.shifts.order=duty',
        [
          {
            name: 'North',
            scope: ['Heron', 'Wren'],
            manuals: [{ pages: 120 }, { pages: 30 }],
            kinds: ['fork', null],
            duties: [['lead', 'optics'], ['lead']],
          },
        ],
      ],
      [
        '/domes?select=name,...telescopes(scope:name,shifts(duty))&id=eq.1&telescopes.order=name&telescopes.shifts.order=duty',
        [
          {
            name: 'North',
            scope: ['Heron', 'Wren'],
            shifts: [[{ duty: 'lead' }, { duty: 'optics' }], [{ duty: 'lead' }]],
          },
        ],
      ],
      ['/domes?select=house:name,...telescopes(name)&telescopes.order=manuals(pages)&id=eq.1', undefined],
      [
        '/domes?select=house:name,...telescopes(name,manuals())&telescopes.order=manuals(pages)&id=eq.1',
        [{ house: 'North', name: ['Wren', 'Heron'] }],
      ],
      // The columns of a junction together with those of the far side.
      [
        '/telescopes?select=name,staff:shifts(duty,...astronomers(given_name,surname))&id=eq.3',
        [{ name: 'Stork', staff: [{ duty: 'lead', given_name: 'Aki', surname: 'Mori' }] }],
      ],
    ].filter(([, rows]) => rows !== undefined) as Case[],
  );

  it('returns duplicate keys if two columns share a name', async () => {
    const response = await server.request('/telescopes?select=id,name,...domes(id,name)&id=eq.1');
    expect([response.status, response.text]).toEqual([
      200,
      '[{"id":1,"name":"Heron","id":1,"name":"North"}]',
    ]);
  });

  refuses([
    [
      '/domes?select=house:name,...telescopes(name)&telescopes.order=manuals(pages)',
      400,
      { code: 'PGRST108' },
    ],
  ]);
});

describe('two embeddings with the same name', () => {
  refuses([
    [
      '/transfers?select=domes!departure(*),domes!arrival(*)',
      400,
      {
        code: '42712',
        message: 'table name "transfers_domes_1" specified more than once',
        details: null,
        hint: null,
      },
    ],
    ['/telescopes?select=a:domes(name),a:manuals(pages)', 400, { code: '42712' }],
    [
      '/astronomers?select=telescopes(x:domes(id),x:manuals(pages))',
      400,
      { message: 'table name "telescopes_x_2" specified more than once' },
    ],
  ]);
  expectRows([
    [
      '/transfers?select=...domes!departure(from:name),...domes!arrival(to:name)&id=eq.1',
      [{ from: 'North', to: 'South' }],
    ],
    ['/telescopes?select=domes(name),domes()&domes=is.null', [{ domes: null }]],
  ]);
});

describe('embedding of an unknown relation or column', () => {
  refuses([
    [
      '/telescopes?select=*,xyzzy(*)',
      400,
      {
        code: 'PGRST200',
        message: "Could not find a relationship between 'telescopes' and 'xyzzy' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'telescopes' and 'xyzzy' in the schema 'public', but no matches were found.",
        hint: null,
      },
    ],
    ['/telescopes?select=*,dome(*)', 400, { hint: "Perhaps you meant 'domes' instead of 'dome'." }],
    ['/telescopes?select=*,loans(*)', 400, { code: 'PGRST200' }],
    ['/telescopes?select=id,domes(nothing)', 400, { code: '42703' }],
  ]);
});
