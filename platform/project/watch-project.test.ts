import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from './find-project.ts';
import { createTestProject } from './testing/project-folder.ts';
import { type ProjectChange, watchProject } from './watch-project.ts';

/** Longer than a test: only events report changes. */
const NEVER_MS = 3_600_000;

/** Follows a project; `next` resolves with the next change. */
async function follow(project: Project, options: Partial<Parameters<typeof watchProject>[1]> = {}) {
  const changes: ProjectChange[] = [];
  let notify = () => {};
  const watch = await watchProject(project, {
    compareMs: NEVER_MS,
    async onChange(change) {
      changes.push(change);
      notify();
    },
    ...options,
  });
  return {
    async next(): Promise<ProjectChange> {
      while (changes.length === 0) {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      return changes.shift() as ProjectChange;
    },
    [Symbol.asyncDispose]: () => watch.close(),
  };
}

const MIGRATION = (...migrations: string[]) => ({ migrations, settings: false });
const SETTINGS = { migrations: [], settings: true };

describe('watchProject', () => {
  it('reports created, changed, renamed and removed migrations', async () => {
    await using project = await createTestProject({ 'migrations/1_a.sql': '' });
    await using watch = await follow(project);
    await project.write('migrations/2_b.sql', 'select 1');
    expect(await watch.next()).toEqual(MIGRATION('2_b.sql'));
    await project.write('migrations/2_b.sql', 'select 2');
    expect(await watch.next()).toEqual(MIGRATION('2_b.sql'));
    await rename(
      join(project.supabaseFolder, 'migrations', '2_b.sql'),
      join(project.supabaseFolder, 'migrations', '3_c.sql'),
    );
    expect(await watch.next()).toEqual(MIGRATION('2_b.sql', '3_c.sql'));
    await project.remove('migrations/1_a.sql');
    expect(await watch.next()).toEqual(MIGRATION('1_a.sql'));
  });

  it('reports a file that an editor writes beside its place and renames', async () => {
    await using project = await createTestProject({ 'config.toml': '' });
    await using watch = await follow(project);
    await project.write('config.toml~', '[auth]');
    await rename(join(project.supabaseFolder, 'config.toml~'), join(project.supabaseFolder, 'config.toml'));
    expect(await watch.next()).toEqual(SETTINGS);
  });

  it('reports env files of both folders, and no other files', async () => {
    await using project = await createTestProject({ 'config.toml': '' });
    await using watch = await follow(project);
    await writeFile(join(project.folder, '.env.local'), 'A=1');
    expect(await watch.next()).toEqual(SETTINGS);
    await writeFile(join(project.folder, 'README.md'), 'text');
    await project.write('seed.sql', 'select 1');
    await project.write('migrations/README.md', 'text');
    await project.write('.env', 'A=1');
    expect(await watch.next()).toEqual(SETTINGS);
  });

  it('follows folders that appear later or are replaced', async () => {
    await using project = await createTestProject({ 'config.toml': '' });
    await using watch = await follow(project);
    await project.write('migrations/1_a.sql', '');
    expect(await watch.next()).toEqual(MIGRATION('1_a.sql'));
    await rename(project.supabaseFolder, join(project.folder, 'former'));
    expect(await watch.next()).toEqual({ migrations: ['1_a.sql'], settings: true });
    await project.write('migrations/2_b.sql', '');
    expect(await watch.next()).toEqual(MIGRATION('2_b.sql'));
    await rm(join(project.supabaseFolder, 'migrations'), { recursive: true });
    expect(await watch.next()).toEqual(MIGRATION('2_b.sql'));
    await project.write('migrations/3_c.sql', '');
    expect(await watch.next()).toEqual(MIGRATION('3_c.sql'));
  });

  it('reports files that settings name, in any folder', async () => {
    await using project = await createTestProject({ 'config.toml': '' });
    const template = join(project.supabaseFolder, 'templates', 'invite.html');
    await using watch = await follow(project, { settingFiles: () => [template] });
    await project.write('config.toml', '[auth]');
    expect(await watch.next()).toEqual(SETTINGS);
    await mkdir(join(project.supabaseFolder, 'templates'));
    await project.write('templates/other.html', '');
    await project.write('templates/invite.html', 'text');
    expect(await watch.next()).toEqual(SETTINGS);
  });

  it('works on file systems without events', async () => {
    await using project = await createTestProject({ 'config.toml': '' });
    await using watch = await follow(project, { usesEvents: false, compareMs: 20 });
    await project.write('migrations/1_a.sql', '');
    expect(await watch.next()).toEqual(MIGRATION('1_a.sql'));
  });

  it('reports changes during a call afterwards', async () => {
    await using project = await createTestProject({ 'migrations/1_a.sql': '' });
    const calls: string[][] = [];
    const finished = Promise.withResolvers<void>();
    await using _ = await follow(project, {
      async onChange({ migrations }) {
        calls.push([...migrations]);
        if (calls.length === 1) await project.write('migrations/3_c.sql', '');
        else finished.resolve();
      },
    });
    await project.write('migrations/2_b.sql', '');
    await finished.promise;
    expect(calls).toEqual([['2_b.sql'], ['3_c.sql']]);
  });
});
