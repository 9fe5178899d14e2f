import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataParentOf, findProject } from './find-project.ts';

describe('findProject', () => {
  it('recognizes a folder with supabase/config.toml', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'greenroom-project-'));
    await mkdir(join(root.path, 'supabase'));
    await writeFile(join(root.path, 'supabase/config.toml'), '');
    expect(await findProject(root.path)).toEqual({
      folder: root.path,
      supabaseFolder: join(root.path, 'supabase'),
    });
  });

  it('recognizes a folder with supabase/migrations, and returns absolute paths for a relative one', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'greenroom-project-'));
    await mkdir(join(root.path, 'supabase/migrations'), { recursive: true });
    expect((await findProject(relative(process.cwd(), root.path)))?.folder).toBe(root.path);
  });

  it.each([
    ['without supabase/', ''],
    ['with an empty supabase/', 'supabase'],
    ['below a project', 'supabase/migrations'],
  ])('finds no project in a folder %s', async (_condition, created) => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'greenroom-project-'));
    await mkdir(join(root.path, created, 'below'), { recursive: true });
    const searched =
      created === 'supabase/migrations' ? join(root.path, 'supabase/migrations/below') : root.path;
    expect(await findProject(searched)).toBeUndefined();
  });

  it('finds no project where supabase is a file', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'greenroom-project-'));
    await writeFile(join(root.path, 'supabase'), '');
    expect(await findProject(root.path)).toBeUndefined();
  });

  it('finds the project that package.json names, whose data is beside that file by default', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'greenroom-project-'));
    await mkdir(join(root.path, 'apps/demo/supabase/migrations'), { recursive: true });
    await writeFile(join(root.path, 'package.json'), '{ "greenroom": { "project": "./apps/demo" } }');
    const folder = join(root.path, 'apps/demo');
    const project = { folder, supabaseFolder: join(folder, 'supabase') };
    expect(await findProject(root.path)).toEqual(project);
    expect(await findProject(folder)).toEqual(project);
    expect(await dataParentOf(project)).toBe(root.path);
    const other = { folder: join(root.path, 'apps/other'), supabaseFolder: '' };
    expect(await dataParentOf(other)).toBe(other.folder);
  });

  it.each(['{ broken', '{ "greenroom": { "project": 7 } }', '{ "greenroom": null }', 'null'])(
    'finds no project in a folder with the package.json %s',
    async (text) => {
      await using root = await mkdtempDisposable(join(tmpdir(), 'greenroom-project-'));
      await writeFile(join(root.path, 'package.json'), text);
      expect(await findProject(root.path)).toBeUndefined();
    },
  );

  it('rejects a package.json that names a folder without a project', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'greenroom-project-'));
    await writeFile(join(root.path, 'package.json'), '{ "greenroom": { "project": "elsewhere" } }');
    await expect(findProject(root.path)).rejects.toThrow(
      `greenroom.project names ${join(root.path, 'elsewhere')}, which is not a project`,
    );
  });
});
