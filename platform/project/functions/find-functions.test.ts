import { expect, it } from 'vitest';
import { createTestProject } from '../testing/project-folder.ts';
import { findFunctions } from './find-functions.ts';

it('finds folders with an entry file, except for shared code', async () => {
  await using project = await createTestProject({
    'functions/hello/index.ts': '',
    'functions/a-b_1/index.js': '',
    'functions/_shared/index.ts': '',
    'functions/.hidden/index.ts': '',
    'functions/tests/hello.test.ts': '',
    'functions/deno.json': '{}',
  });
  expect(await findFunctions(project)).toEqual(
    [
      ['a-b_1', 'index.js'],
      ['hello', 'index.ts'],
    ].map(([name = '', file]) => ({
      name,
      entry: `${project.supabaseFolder}/functions/${name}/${file}`,
      importMap: `${project.supabaseFolder}/functions/deno.json`,
      staticFiles: [],
      verifiesJwt: true,
      env: new Map(),
    })),
  );
});

it.each([
  ['functions/hello/deno.jsonc', []],
  ['functions/hello/import_map.json', ['functions/deno.json']],
  ['functions/deno.json', ['functions/import_map.json', 'deno.json']],
  ['functions/import_map.json', ['deno.json']],
  ['deno.json', ['deno.jsonc']],
  ['deno.jsonc', ['import_map.json', '../deno.json']],
])('prefers %s to %j', async (preferred, others) => {
  const paths = ['functions/hello/index.ts', preferred, ...others];
  await using project = await createTestProject(Object.fromEntries(paths.map((path) => [path, '{}'])));
  const [found] = await findFunctions(project);
  expect(found?.importMap).toBe(`${project.supabaseFolder}/${preferred}`);
});

it('finds none without the folder', async () => {
  await using project = await createTestProject();
  expect(await findFunctions(project)).toEqual([]);
});
