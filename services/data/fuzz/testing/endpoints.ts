/** Relations and functions of the test schemas, with the names of their columns and parameters. */

/** A relation or a function. */
export interface Endpoint {
  schema: 'studio' | 'annex';
  /** Below the prefix, percent-encoded. */
  path: string;
  columns: readonly string[];
}

const RELATIONS: Readonly<Record<Endpoint['schema'], Readonly<Record<string, string>>>> = {
  studio: {
    films: 'id title year rating director_id sequel_of tags facts notes shown is_colour',
    directors: 'id name born',
    synopses: 'film_id text',
    actors: 'id name',
    roles: 'film_id actor_id character',
    screenings: 'id film_id hall seats sold',
    tickets: 'id screening_id price',
    employees: 'id name manager_id deputy_id',
    paints: 'id colour other',
    recent_films: 'id title director_id',
    'odd%20%22name%22': 'id a.b,c count odd',
    log: 'text',
    chairs:
      'id name wood price tags facts notes bytes big exact size during code flags made maker_id copy_of',
    makers: 'id name born',
    repairs: 'id chair_id what',
    tools: 'id name',
    parcels: 'id label other',
    always: 'id name',
    two_keys: 'a b note count',
    only_key: 'id',
    no_key: 'a b',
    odd_types: 'id',
    short_chairs: 'id name maker_id',
    key_view: 'b a note count',
    by_trigger: 'id name',
    joined: 'chair_id maker_id',
    sales: 'id year price',
    sales_2025: 'id year price',
    guarded: 'id name',
    letters: 'id text',
    cards: 'id text secret',
    notes: 'id owner text',
    swatches: 'colour name',
  },
  annex: { rooms: 'id film_id' },
};

const FUNCTIONS: Readonly<Record<string, string>> = {
  add: 'a b',
  nothing: '',
  close: '',
  maybe: '',
  none: '',
  strings: '',
  many: 'last',
  origin: '',
  corner: '',
  corners: '',
  one_out: 'n',
  outs: 'n b',
  echo_json: '',
  echo_jsonb: '',
  echo_text: '',
  echo_xml: '',
  echo_bytea: '',
  maybe_json: '',
  named_json: 'data',
  chars: 'c cs b bs',
  numbers: 'big num flt',
  ints: 'numbers texts',
  typed: 'j jb s',
  kind_of: 'j',
  'Quoted%20Name': 'user',
  poly: 'a',
  poly_array: 'a',
  given: 'given result',
  null: '',
  both: '',
  count_films: '',
  count_to: 'last',
  count_record: '',
  count_records: '',
  fail: '',
  refuse: '',
  write: '',
  write_stable: '',
  careful: '',
  as_text: 'name',
  as_odd: '',
  as_image: '',
};

/** Everything, films several times: most queries are about them. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...Object.entries(RELATIONS).flatMap(([schema, relations]) =>
    Object.entries(relations).flatMap(([name, columns]) =>
      Array<Endpoint>(name === 'films' ? 20 : 1).fill(endpoint(schema, `/${name}`, columns)),
    ),
  ),
  ...Object.entries(FUNCTIONS).map(([name, columns]) => endpoint('studio', `/rpc/${name}`, columns)),
  endpoint('annex', '/rpc/rooms_of', 'film'),
  endpoint('annex', '/rpc/films', ''),
];

function endpoint(schema: string, path: string, columns: string): Endpoint {
  return {
    schema: schema as Endpoint['schema'],
    path,
    columns: columns === '' ? [] : columns.split(' '),
  };
}
