import { expect, it } from 'vitest';
import { findFunctions } from './find-functions.ts';
import { createTestProject } from './testing/project-folder.ts';

it('finds folders with an entry file, except for shared code', async () => {
  await using project = await createTestProject({
    'functions/hello/index.ts': '',
    'functions/a-b_1/index.js': '',
    'functions/_shared/index.ts': '',
    'functions/.hidden/index.ts': '',
    'functions/tests/hello.test.ts': '',
    'functions/deno.json': '{}',
  });
  expect(await findFunctions(project)).toEqual(['a-b_1', 'hello']);
});

it('finds none without the folder', async () => {
  await using project = await createTestProject();
  expect(await findFunctions(project)).toEqual([]);
});
