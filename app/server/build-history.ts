/**
 * The build in a folder, and the older builds whose files it still serves: a tab that was opened earlier
 * keeps running its own build.
 */
import { copyFile, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface BuildRecord {
  id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Names of its files in the folder of built files. */
  files: string[];
}

/** Older builds are kept for 30 days, in milliseconds. */
const KEPT_FOR_MS = 30 * 24 * 3600 * 1000;
/** Maximum number of older builds that are kept. */
const MAX_KEPT = 5;
/** File with the builds of a folder. */
const RECORD_FILE = 'builds.json';

/** Reads the builds of a folder, newest first; none if there is no readable list. */
export async function readBuilds(folder: string): Promise<BuildRecord[]> {
  const text = await readFile(join(folder, RECORD_FILE), 'utf8').catch(() => '[]');
  return JSON.parse(text) as BuildRecord[];
}

/**
 * Completes the new build in `folder`: links or copies the files of older builds from the folder
 * `previous`, which may not exist, and writes the manifests for browsers.
 */
export async function recordBuild(
  folder: string,
  previous: string,
  build: { id: string; timestamp: number },
): Promise<void> {
  const files = await listFiles(assetsOf(folder));
  const retained = selectRetained(await readBuilds(previous), build);
  for (const { files: old } of retained) await linkFiles(assetsOf(previous), assetsOf(folder), old);
  const builds = [{ ...build, files }, ...retained];
  await writeManifests(assetsOf(folder), builds);
  await writeFile(join(folder, RECORD_FILE), JSON.stringify(builds));
}

/** The previous build is always kept, however old it is: it was the current one until now. */
function selectRetained(older: readonly BuildRecord[], { id, timestamp }: { id: string; timestamp: number }) {
  return older
    .filter((build) => build.id !== id)
    .filter((build, index) => index === 0 || timestamp - build.timestamp <= KEPT_FOR_MS)
    .slice(0, MAX_KEPT);
}

async function linkFiles(from: string, to: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await link(join(from, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' || error.code === 'ENOENT') return;
      // Fall back to a copy: not every file system supports links.
      return copyFile(join(from, name), join(to, name));
    });
  }
}

async function writeManifests(assets: string, builds: readonly BuildRecord[]): Promise<void> {
  const folder = join(assets, 'builds');
  await mkdir(join(folder, 'meta'), { recursive: true });
  for (const { id, timestamp } of builds) {
    await writeFile(join(folder, 'meta', `${id}.json`), JSON.stringify({ id, timestamp, prerendered: [] }));
  }
  const [{ id, timestamp } = { id: '', timestamp: 0 }] = builds;
  await writeFile(join(folder, 'latest.json'), JSON.stringify({ id, timestamp }));
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function assetsOf(folder: string): string {
  return join(folder, 'client', 'assets');
}
