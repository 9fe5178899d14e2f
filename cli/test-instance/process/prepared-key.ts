/** The name of a prepared data folder: a hash of everything that its content depends on. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findSeedFiles } from '@greenroom/project';
import { migrationFolders } from '@greenroom/server';
import { VERSION } from '@greenroom/server/version';
import { projectToRun } from '../../project.ts';
import type { Settings } from '../../settings.ts';

/** Changes whenever the preparation itself does. */
const FORMAT = 2;
/** Settings that the keys and the passwords of roles depend on. */
const KEY_SETTINGS = ['GREENROOM_JWT_SECRET', 'GOTRUE_JWT_KEYS', 'GREENROOM_SIGNING_KEYS_FILE'];
/** Folders of `supabase/` that the database does not depend on. */
const OTHER_FOLDERS = ['functions', 'templates', 'snippets', '.temp', '.branches'];

/** Returns hexadecimal text. */
export async function preparedKey(settings: Settings): Promise<string> {
  const hash = createHash('sha256').update(`${FORMAT} ${VERSION} ${process.getuid?.()}\n`);
  for (const folder of migrationFolders()) {
    for (const name of (await readdir(folder)).sort()) {
      const { size, mtimeMs } = await stat(join(folder, name));
      hash.update(`${name} ${size} ${mtimeMs}\n`);
    }
  }
  const source: Readonly<Record<string, string | undefined>> = settings.source;
  for (const name of KEY_SETTINGS) hash.update(`${name}=${source[name] ?? ''}\n`);
  const toRun = projectToRun(settings);
  if (toRun === undefined) return hash.digest('hex').slice(0, 32);
  const { project, secrets, ...values } = toRun;
  hash.update(JSON.stringify({ folder: project.folder, values, secrets: [...(secrets ?? [])] }));
  const files = [...(await filesOf(project.supabaseFolder)), ...(await findSeedFiles(toRun))];
  for (const path of files) {
    hash.update(`${relative(project.folder, path)}\0`).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Returns the paths of the files of the project that its database may depend on, sorted. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter(({ name }) => !OTHER_FOLDERS.includes(name))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return filesOf(path);
        return entry.isFile() ? [path] : [];
      }),
  );
  return nested.flat().sort();
}
