/** New projects. */
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectInstance } from '../../testing/project-instance.ts';

it('init creates a project that starts with the defaults and without warnings, and keeps secrets out of git', async () => {
  await using project = await createProjectInstance({});
  const cwd = await mkdtemp(join(tmpdir(), 'greenroom-init-'));
  try {
    expect(await project.run(['init'], { cwd })).toEqual({
      code: 0,
      output:
        'wrote supabase/config.toml\nwrote supabase/seed.sql\nwrote supabase/.gitignore\nStart the project: greenroom start\n',
      errors: '',
    });
    const server = project.spawn(['start', '--services', 'auth'], { cwd, env: { LOG_LEVEL: 'warn' } });
    const printed = await server.waitFor(/^ready /m);
    expect(printed).not.toMatch(/warning|error/);
    expect(printed).toContain('seeding from supabase/seed.sql');
    await project.stop();
    const valuesOf = async (directory: string) => {
      const { output } = await project.run(['config'], { cwd: directory });
      return output.replace(/ {2}# .*$/gm, '').replace(/^the running instance .*\n/m, '');
    };
    await project.write('config.toml', 'project_id = "other"\n');
    expect(await valuesOf(cwd)).toBe(await valuesOf(project.folder));
  } finally {
    await project.stop();
    await rm(cwd, { recursive: true });
  }
});

it('init creates the folder of --project, refuses an existing project, and replaces its file with --force', async () => {
  await using project = await createProjectInstance({ 'config.toml': 'project_id = "own"\n' });
  const file = join(project.folder, 'supabase', 'config.toml');
  const { code, errors } = await project.run(['init']);
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^error: .*config\.toml exists already.*--force\.\n$/),
  ]);
  expect(await readFile(file, 'utf8')).toBe('project_id = "own"\n');
  expect((await project.run(['init', '--force'])).output).toMatch(/^wrote supabase\/config\.toml\n/);
  expect(await readFile(file, 'utf8')).toContain('[api]');
  expect((await project.run(['init', '--project', 'shop'])).code).toBe(0);
  await access(join(project.folder, 'shop', 'supabase', 'config.toml'));
});
