import { expect, it } from 'vitest';
import { parseConfigDocument } from './document.ts';
import { readProjectKeys } from './project-keys.ts';

const read = (text: string) =>
  readProjectKeys(parseConfigDocument(text, 'config.toml'), { supabaseFolder: '/shop/supabase' });

it('readProjectKeys returns the defaults of keys that are missing', () => {
  expect(read('')).toEqual({
    keys: {
      projectId: undefined,
      migrations: { isEnabled: true },
      schema: { isPgDeltaEnabled: true, paths: [], folder: 'schemas', format: {} },
      seeds: { isEnabled: true, paths: ['./seed.sql'] },
      buckets: [],
      database: {
        exposesNewTables: undefined,
        exposesQueues: false,
        majorVersion: undefined,
        webhooks: undefined,
        secrets: new Map(),
      },
      functions: { declared: new Map(), secrets: new Map() },
      inspectRules: [],
    },
    problems: [],
    warnings: [],
  });
});

it('readProjectKeys returns the values of the file', () => {
  const { keys, problems } = read(
    'project_id = "my-shop"\n[db.migrations]\nenabled = false\nschema_paths = ["a.sql"]\n[db.seed]\nenabled = "false"\nsql_paths = ["./seeds/*.sql"]' +
      '\n[experimental.pgdelta]\ndeclarative_schema_path = "./declared"\nformat_options = \'{"keywordCase": "upper", "indent": 4}\'',
  );
  expect(problems).toEqual([]);
  expect(keys).toEqual({
    projectId: 'my-shop',
    migrations: { isEnabled: false },
    schema: {
      isPgDeltaEnabled: true,
      paths: ['a.sql'],
      folder: './declared',
      format: { keywordCase: 'upper', indent: 4 },
    },
    seeds: { isEnabled: false, paths: ['./seeds/*.sql'] },
    buckets: [],
    database: {
      exposesNewTables: undefined,
      exposesQueues: false,
      majorVersion: undefined,
      webhooks: undefined,
      secrets: new Map(),
    },
    functions: { declared: new Map(), secrets: new Map() },
    inspectRules: [],
  });
});

it.each([
  ['My shop!', 'My_shop_'],
  ['-_.shop', 'shop'],
  ['a'.repeat(41), 'a'.repeat(40)],
])('readProjectKeys makes a valid id of %s', (id, expected) => {
  expect(read(`project_id = "${id}"`).keys.projectId).toBe(expected);
});

it.each([
  ['project_id = 5', 'project_id', '5', 'a text'],
  ['db.seed.enabled = 1', 'db.seed.enabled', '1', 'true, false'],
  ['db.seed.sql_paths = "a.sql"', 'db.seed.sql_paths', 'a.sql', 'a list of paths'],
  ['db.migrations.schema_paths = [1]', 'db.migrations.schema_paths', '[1]', 'a list of paths'],
  [
    'experimental.pgdelta.declarative_schema_path = 1',
    'experimental.pgdelta.declarative_schema_path',
    '1',
    'a path',
  ],
  [
    `experimental.pgdelta.format_options = '{"keywordCase": "title"}'`,
    'experimental.pgdelta.format_options',
    '{"keywordCase": "title"}',
    'an object as JSON text, with keywordCase, commaStyle,',
  ],
  [
    `experimental.pgdelta.format_options = '{"width": 80}'`,
    'experimental.pgdelta.format_options',
    '{"width": 80}',
    'an object as JSON text',
  ],
  [
    `experimental.pgdelta.format_options = 'upper'`,
    'experimental.pgdelta.format_options',
    'upper',
    'an object as JSON text',
  ],
  [
    'experimental.inspect.rules = 1',
    'experimental.inspect.rules',
    '1',
    'a list of tables with the texts query',
  ],
  [
    "experimental.inspect.rules = [{ query = 'select 1' }, { name = 'a' }]",
    'experimental.inspect.rules',
    '{"name":"a"}',
    'query is required',
  ],
  [
    "experimental.inspect.rules = [{ query = 'select 1', limit = 'a' }]",
    'experimental.inspect.rules',
    `{"query":"select 1","limit":"a"}`,
    'a list of tables with the texts query',
  ],
  ['api.auto_expose_new_tables = 1', 'api.auto_expose_new_tables', '1', 'true, false'],
  ['db.major_version = "new"', 'db.major_version', 'new', 'a whole number such as 17'],
  ['db.major_version = 15.5', 'db.major_version', '15.5', 'a whole number such as 17'],
  ['db.network_restrictions.enabled = "x"', 'db.network_restrictions.enabled', 'x', 'true, false'],
  ['db.vault.key = 1', 'db.vault.key', undefined, 'a plain text or env(NAME)'],
  ['db.vault.key = "encrypted:abc"', 'db.vault.key', undefined, 'a plain text or env(NAME)'],
  ['storage.buckets."a/b" = {}', 'storage.buckets.a/b', 'a/b', 'a name of at most 100 letters'],
  ['functions.2nd = {}', 'functions.2nd', '2nd', 'a letter, then'],
  ['functions.a = 1', 'functions.a', '1', 'a table with enabled,'],
  ['functions.a = { verify_jwt = "no" }', 'functions.a.verify_jwt', 'no', 'true, false'],
  ['functions.a = { entrypoint = 1 }', 'functions.a.entrypoint', '1', 'a path'],
  ['functions.a = { static_files = "a" }', 'functions.a.static_files', 'a', 'a list of paths'],
  ['functions.a.env = { B = 1 }', 'functions.a.env.B', '1', 'a text'],
  ['edge_runtime.secrets = { B = 1 }', 'edge_runtime.secrets.B', '1', 'a text'],
  ['edge_runtime.deno_version = 3', 'edge_runtime.deno_version', '3', '1, 2'],
  ['storage.buckets.a = 1', 'storage.buckets.a', '1', 'a table with public,'],
  ['storage.buckets.a = { public = "yes" }', 'storage.buckets.a.public', 'yes', 'true, false'],
  [
    'storage.buckets.a = { file_size_limit = "big" }',
    'storage.buckets.a.file_size_limit',
    'big',
    'bytes, or',
  ],
  [
    'storage.buckets.a = { allowed_mime_types = "image/png" }',
    'storage.buckets.a.allowed_mime_types',
    'image/png',
    'a list of media types',
  ],
  ['storage.buckets.a = { objects_path = 1 }', 'storage.buckets.a.objects_path', '1', 'a path'],
])('readProjectKeys rejects %s', (text, name, value, allowed) => {
  expect(read(`\n${text}`).problems).toEqual([
    { name, value, allowed: expect.stringContaining(allowed), origin: 'config.toml:2' },
  ]);
});

it('readProjectKeys returns the buckets of the file', () => {
  const { keys, problems } = read(`[storage.buckets.avatars]
public = true
file_size_limit = "1KiB"
allowed_mime_types = ["image/png"]
objects_path = "./avatars"
[storage.buckets."my files"]
`);
  expect(problems).toEqual([]);
  expect(keys.buckets).toEqual([
    {
      name: 'avatars',
      isPublic: true,
      fileSizeLimit: 1024,
      allowedMimeTypes: ['image/png'],
      objects: {
        path: '/shop/supabase/avatars',
        origin: 'config.toml:5: storage.buckets.avatars.objects_path',
      },
    },
    {
      name: 'my files',
      isPublic: undefined,
      fileSizeLimit: undefined,
      allowedMimeTypes: undefined,
      objects: undefined,
    },
  ]);
});

it('readProjectKeys returns the keys of the database', () => {
  const { keys, problems, warnings } = read(`api.auto_expose_new_tables = false
api.schemas = ["public", "pgmq_public"]
db.major_version = 15
[db.vault]
one = "first value"
two = "env(TWO)"
`);
  expect(problems).toEqual([]);
  expect(keys.database).toEqual({
    exposesNewTables: false,
    exposesQueues: true,
    majorVersion: 15,
    webhooks: undefined,
    secrets: new Map([['one', 'first value']]),
  });
  expect(warnings).toEqual(['config.toml:6: db.vault.two is not stored, because the variable TWO is unset']);
});

it('readProjectKeys returns the rules for reports', () => {
  const { keys, problems } = read(`[[experimental.inspect.rules]]
query = "select 1"
name = "One"
pass = "fine"
fail = "wrong"
[[experimental.inspect.rules]]
query = "select 2"
`);
  expect(problems).toEqual([]);
  expect(keys.inspectRules).toEqual([
    { query: 'select 1', name: 'One', pass: 'fine', fail: 'wrong' },
    { query: 'select 2', name: 'select 2', pass: '✔', fail: '✘' },
  ]);
});

it.each([
  ['true', true, undefined],
  ['false', undefined, { value: 'false', allowed: expect.stringContaining('cannot be disabled') }],
])('readProjectKeys returns for experimental.webhooks.enabled = %s: %j', (text, webhooks, problem) => {
  const { keys, problems } = read(`[experimental.webhooks]\nenabled = ${text}`);
  expect(keys.database.webhooks).toBe(webhooks);
  const expected = { name: 'experimental.webhooks.enabled', origin: 'config.toml:2', ...problem };
  expect(problems).toEqual(problem === undefined ? [] : [expected]);
});
