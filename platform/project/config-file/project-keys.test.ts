import { expect, it } from 'vitest';
import { parseConfigDocument } from './document.ts';
import { readProjectKeys } from './project-keys.ts';

const read = (text: string) => readProjectKeys(parseConfigDocument(text, 'config.toml'));

it('readProjectKeys returns the defaults of keys that are missing', () => {
  expect(read('')).toEqual({
    keys: {
      projectId: undefined,
      migrations: { isEnabled: true, schemaPaths: [] },
      seeds: { isEnabled: true, paths: ['./seed.sql'] },
    },
    problems: [],
  });
});

it('readProjectKeys returns the values of the file', () => {
  const { keys, problems } = read(
    'project_id = "my-shop"\n[db.migrations]\nenabled = false\nschema_paths = ["a.sql"]\n[db.seed]\nenabled = "false"\nsql_paths = ["./seeds/*.sql"]',
  );
  expect(problems).toEqual([]);
  expect(keys).toEqual({
    projectId: 'my-shop',
    migrations: { isEnabled: false, schemaPaths: ['a.sql'] },
    seeds: { isEnabled: false, paths: ['./seeds/*.sql'] },
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
])('readProjectKeys rejects %s', (text, name, value, allowed) => {
  expect(read(`\n${text}`).problems).toEqual([
    { name, value, allowed: expect.stringContaining(allowed), origin: 'config.toml:2' },
  ]);
});
