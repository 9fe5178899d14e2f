/** The commands about functions, on a project's files. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listFunctions } from '../../functions/list.ts';
import { createNew } from './functions.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-cli-functions-'));
  await mkdir(join(folder, 'supabase'));
  await writeFile(join(folder, 'supabase', 'config.toml'), 'project_id = "own"\n');
});
afterEach(() => rm(folder, { recursive: true }));

const HERE = { url: undefined, 'secret-key': undefined };
const list = (format: 'pretty' | 'json') => listFunctions({ format, instance: HERE }, { project: folder });
const read = (path: string) => readFile(join(folder, 'supabase', path), 'utf8');

it('functions new creates a module, and declares who may call it', async () => {
  expect(await createNew('hello', 'none', { project: folder })).toEqual([
    'created supabase/functions/hello/index.ts',
    'created supabase/functions/hello/deno.json',
    'changed supabase/config.toml',
  ]);
  await createNew('mine', 'user', { project: folder });
  expect(await read('functions/hello/index.ts')).toContain('Deno.serve(');
  expect(await read('functions/mine/index.ts')).toContain('getUser()');
  expect(await read('config.toml')).toContain(
    'project_id = "own"\n\n[functions.hello]\nenabled = true\nverify_jwt = false\n',
  );
});

it('functions new leaves an existing function and its table as they are', async () => {
  await createNew('hello', 'apikey', { project: folder });
  await writeFile(join(folder, 'supabase/functions/hello/index.ts'), '// mine');
  const config = await read('config.toml');
  await expect(createNew('hello', 'none', { project: folder })).rejects.toThrow(
    'supabase/config.toml already has the table [functions.hello].',
  );
  await writeFile(join(folder, 'supabase', 'config.toml'), 'project_id = "own"\n');
  await expect(createNew('hello', 'none', { project: folder })).rejects.toThrow(
    'supabase/functions/hello exists already.',
  );
  expect(await read('functions/hello/index.ts')).toBe('// mine');
  expect(config).toContain('verify_jwt = true');
});

it('functions list prints the enabled functions', async () => {
  expect(await list('pretty')).toEqual(['no functions. Create one: greenroom functions new <name>']);
  await createNew('hello', 'none', { project: folder });
  await createNew('mine', 'user', { project: folder });
  expect(await list('pretty')).toEqual([
    'NAME   SOURCE   VERSION  UPDATED  TOKEN         FILE',
    'hello  project  -        -        not required  supabase/functions/hello/index.ts',
    'mine   project  -        -        required      supabase/functions/mine/index.ts',
  ]);
});

it('functions list -o json prints one text', async () => {
  await createNew('hello', 'none', { project: folder });
  expect(JSON.parse((await list('json')).join('\n'))).toEqual([
    {
      name: 'hello',
      source: 'project',
      active: true,
      verify_jwt: false,
      version: null,
      updated_at: null,
      entrypoint: 'supabase/functions/hello/index.ts',
    },
  ]);
});
