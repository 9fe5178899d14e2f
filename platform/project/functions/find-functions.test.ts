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

it('finds none without the folder', async () => {
  await using project = await createTestProject();
  expect(await findFunctions(project)).toEqual([]);
});
