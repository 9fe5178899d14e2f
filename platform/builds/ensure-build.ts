/**
 * Builds sources if they have changed since the last build. A build is replaced as a whole or not at all, and contains a
 * stamp with the hash of its sources.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fingerprintOf, listSources } from './source-files.ts';
import { hashFiles } from './source-hash.ts';

/** The file with the stamp. */
const STAMP = 'source-hash';

/** Sources and target of a build, and the function that builds. */
export interface BuildPlan {
  /** For progress messages: `building …`. */
  title: string;
  /** The folder to which the names of sources are relative. */
  root: string;
  /** Files and folders; tests and generated folders in them do not count. */
  sources: readonly string[];
  /** Folder of the finished build. */
  target: string;
  /**
   * Builds the sources with this hash into a folder that does not exist yet; rejects with a message that contains the
   * reason.
   */
  build(into: string, hash: string): Promise<void>;
}

interface Stamp {
  /** Hash of the contents of the sources. */
  hash: string;
  /** Fingerprint of the files when they had that hash. */
  fingerprint: string;
}

/** Builds unless the build is up to date. Rejects with the reason if the build fails. */
export async function ensureBuild(
  plan: BuildPlan,
  log: (message: string) => void,
): Promise<'built' | 'fresh'> {
  const { target, title } = plan;
  const { current, isFresh } = await compare(plan);
  if (isFresh) return 'fresh';
  log(`building ${title}`);
  // An installed package contains no empty folders.
  await mkdir(dirname(target), { recursive: true });
  await removeLeftovers(target);
  const unfinished = `${target}.${process.pid}`;
  try {
    await plan.build(unfinished, current.hash);
    await writeStamp(unfinished, current);
    await replaceBuild(unfinished, target);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return 'built';
}

/** Returns whether a build of the current sources exists. */
export async function isUpToDate(plan: SourcesOfBuild): Promise<boolean> {
  return (await compare(plan)).isFresh;
}

type SourcesOfBuild = Pick<BuildPlan, 'root' | 'sources' | 'target'>;

/** Reads the contents of the sources only if their fingerprint differs from that of the last build. */
async function compare({
  root,
  sources,
  target,
}: SourcesOfBuild): Promise<{ current: Stamp; isFresh: boolean }> {
  const files = listSources(sources);
  const fingerprint = fingerprintOf(files);
  const last = await readStamp(target);
  if (last?.fingerprint === fingerprint) return { current: last, isFresh: true };
  const current = { hash: await hashFiles(files, root), fingerprint };
  const isFresh = last?.hash === current.hash;
  // A build in a folder that cannot be written to is read again at each start.
  if (isFresh) await writeStamp(target, current).catch(() => undefined);
  return { current, isFresh };
}

async function readStamp(target: string): Promise<Stamp | undefined> {
  try {
    return JSON.parse(await readFile(join(target, STAMP), 'utf8')) as Stamp;
  } catch {
    return undefined;
  }
}

function writeStamp(folder: string, stamp: Stamp): Promise<void> {
  return writeFile(join(folder, STAMP), JSON.stringify(stamp));
}

/** A running server has loaded all that it needs of the old build, or the new one contains it. */
async function replaceBuild(unfinished: string, target: string): Promise<void> {
  const old = `${unfinished}.old`;
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(unfinished, target);
  await rm(old, { recursive: true, force: true });
}

/** Removes leftovers of killed builds; folders of builds that are still running stay. */
async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target);
  const prefix = target.slice(folder.length + 1);
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(`${prefix}.`)
      ? Number.parseInt(name.slice(prefix.length + 1), 10)
      : Number.NaN;
    if (pid > 0 && !isRunning(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
