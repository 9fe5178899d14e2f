/** An instance on a project of its own, with an administrator: for tests that change files of the project. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { type AsAdmin, createAdministrator } from './administrator.ts';
import { type Instance, newDataFolder, startInstance } from './instance.ts';
import { newPerson, type Person } from './person.ts';

/** A running instance on a project. */
export interface ProjectSite extends Instance {
  admin: Person;
  /** Text of `supabase/config.toml`. */
  config(): Promise<string>;
  writeConfig(text: string): Promise<void>;
  asAdmin: AsAdmin;
  end(): Promise<void>;
}

/** Starts an instance with this config.toml, and creates its administrator. */
export async function startProjectSite(
  browser: Browser,
  config: string,
  env: Record<string, string> = {},
  admin = newPerson(),
): Promise<ProjectSite> {
  const project = await mkdtemp(join(tmpdir(), 'greenroom-project-'));
  const path = join(project, 'supabase', 'config.toml');
  await mkdir(join(project, 'supabase'));
  await writeFile(path, config);
  const folder = await newDataFolder();
  const settings = { GREENROOM_ADMIN_SCHEMA_CHANGES: 'auto', ...env };
  const instance = await startInstance(folder, settings, 'start', ['--project', project]);
  const { asAdmin } = await createAdministrator(browser, instance, admin);
  return {
    ...instance,
    admin,
    config: () => readFile(path, 'utf8'),
    writeConfig: (text) => writeFile(path, text),
    asAdmin,
    async end() {
      await instance.stop();
      for (const each of [folder, project]) await rm(each, { recursive: true, force: true });
    },
  };
}
