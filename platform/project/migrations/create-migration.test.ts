import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestProject } from '../testing/project-folder.ts';
import { createMigration, createMigrations } from './create-migration.ts';

const now = new Date('2026-01-02T03:04:05.678Z');

it('creates a file whose version is the time in UTC', async () => {
  await using project = await createTestProject();
  const { folder } = project;
  const path = await createMigration({ folder, name: 'create notes', content: 'select 1;', now });
  expect(path).toBe(join('supabase', 'migrations', '20260102030405_create_notes.sql'));
  expect(await readFile(join(folder, path), 'utf8')).toBe('select 1;');
});

it('does not overwrite a file', async () => {
  await using project = await createTestProject();
  const migration = { folder: project.folder, name: 'a', content: 'x', now };
  const path = await createMigration(migration);
  await expect(createMigration({ ...migration, content: 'y' })).rejects.toThrow('exists already');
  expect(await readFile(join(project.folder, path), 'utf8')).toBe('x');
});

it.each([['../a'], ['a\\b'], [''], ['a\0']])('rejects the name %j', async (name) => {
  await using project = await createTestProject();
  const creation = createMigration({ folder: project.folder, name, content: '', now });
  await expect(creation).rejects.toThrow('cannot be the name of a migration');
});

describe('several migrations', () => {
  const now = new Date('2026-03-04T05:06:59Z');

  it('have versions that follow each other', async () => {
    await using project = await createTestProject();
    const created = await createMigrations({
      folder: project.folder,
      name: 'colors',
      contents: ['a', 'b'],
      now,
    });
    expect(created).toEqual([
      { version: '20260304050659', path: join('supabase', 'migrations', '20260304050659_colors.sql') },
      { version: '20260304050700', path: join('supabase', 'migrations', '20260304050700_colors_2.sql') },
    ]);
    expect(await readFile(join(project.folder, created[1]?.path ?? ''), 'utf8')).toBe('b');
  });

  it('are all removed if one of them exists already', async () => {
    await using project = await createTestProject({ 'migrations/20260304050700_colors_2.sql': 'former' });
    await expect(
      createMigrations({ folder: project.folder, name: 'colors', contents: ['a', 'b'], now }),
    ).rejects.toThrow('20260304050700_colors_2.sql exists already');
    expect(await readdir(join(project.supabaseFolder, 'migrations'))).toEqual([
      '20260304050700_colors_2.sql',
    ]);
  });
});
