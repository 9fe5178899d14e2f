import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProject } from '../find-project.ts';
import { createProject, projectIdOf } from './create-project.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-create-'));
});
afterEach(() => rm(folder, { recursive: true }));

const read = (name: string) => readFile(join(folder, 'supabase', name), 'utf8');

describe('createProject', () => {
  it('creates config.toml, a seed file and .gitignore in a new folder', async () => {
    const target = join(folder, 'shop');
    expect(await createProject({ folder: target, isForced: false })).toEqual([
      'supabase/config.toml',
      'supabase/seed.sql',
      'supabase/.gitignore',
    ]);
    expect(await readFile(join(target, 'supabase/config.toml'), 'utf8')).toContain('project_id = "shop"');
    expect(await findProject(target)).toMatchObject({ folder: target });
  });

  it('adds config.toml to a folder with migrations, and keeps its other files', async () => {
    await mkdir(join(folder, 'supabase/migrations'), { recursive: true });
    await writeFile(join(folder, 'supabase/seed.sql'), 'select 1;');
    await writeFile(join(folder, 'supabase/.gitignore'), '.temp\nown');
    expect(await createProject({ folder, isForced: false })).toEqual([
      'supabase/config.toml',
      'supabase/.gitignore',
    ]);
    expect(await read('seed.sql')).toBe('select 1;');
    expect(await read('.gitignore')).toMatch(/^\.temp\nown\n# Supabase CLI\n\.branches\n# Secrets\n/);
  });

  it('refuses an existing config.toml and changes nothing, unless it is forced', async () => {
    await mkdir(join(folder, 'supabase'));
    await writeFile(join(folder, 'supabase/config.toml'), 'project_id = "own"\n');
    await expect(createProject({ folder, isForced: false })).rejects.toThrow(
      /config\.toml exists already, .* use --force\.$/,
    );
    expect([await read('config.toml'), await readdir(join(folder, 'supabase'))]).toEqual([
      'project_id = "own"\n',
      ['config.toml'],
    ]);
    await createProject({ folder, isForced: true });
    expect(await read('config.toml')).toContain('[api]');
  });

  it('reports a folder that cannot be created, and leaves nothing behind', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(createProject({ folder: join(folder, 'file/shop'), isForced: false })).rejects.toThrow(
      /supabase cannot be written: /,
    );
    expect(await readdir(folder)).toEqual(['file']);
  });
});

it.each([
  ['/home/ada/My Shop!', 'My-Shop-'],
  ['/srv/.hidden', 'hidden'],
  [`/srv/${'a'.repeat(50)}`, 'a'.repeat(40)],
  ['/srv/日本', 'project'],
])('projectIdOf derives an id from %s', (path, id) => {
  expect(projectIdOf(path)).toBe(id);
});
