import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadEnvFiles } from './env-files.ts';

const FILES = ['', 'supabase/'].flatMap((folder) =>
  ['.env', '.env.local', '.env.development', '.env.development.local', '.env.test', '.env.test.local'].map(
    (name) => folder + name,
  ),
);

async function createProject(files: readonly string[]) {
  const root = await mkdtempDisposable(join(tmpdir(), 'greenroom-env-'));
  for (const file of files) {
    await mkdir(dirname(join(root.path, file)), { recursive: true });
    await writeFile(join(root.path, file), `FILE=${file}\n`);
  }
  return root;
}

it.each([
  [undefined, ['.env.development.local', '.env.local', '.env.development', '.env']],
  ['', ['.env.development.local', '.env.local', '.env.development', '.env']],
  ['test', ['.env.test.local', '.env.test', '.env']],
])('reads for SUPABASE_ENV=%s, from supabase/ to the project, %j', async (environment, names) => {
  await using root = await createProject(FILES);
  const project = { folder: root.path, supabaseFolder: join(root.path, 'supabase') };
  const files = await loadEnvFiles(project, environment);
  expect(files).toEqual(
    [...names.map((name) => `supabase/${name}`), ...names].map((name) => ({ name, values: { FILE: name } })),
  );
});

it('omits files that do not exist', async () => {
  await using root = await createProject(['.env']);
  const files = await loadEnvFiles(
    { folder: root.path, supabaseFolder: join(root.path, 'supabase') },
    undefined,
  );
  expect(files.map(({ name }) => name)).toEqual(['.env']);
});
