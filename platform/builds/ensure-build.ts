/**
 * Builds sources if they have changed since the last build. A build is replaced as a whole or not at all, and contains a
 * stamp with the hash of its sources.
 */
import { createHash } from 'node:crypto';
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
  /** Whether the target is in a folder of the user: then files that no build has written stay. Default: false. */
  isUserFolder?: boolean;
  /**
   * Builds the sources with this hash into a folder that does not exist yet; rejects with a message that contains the
   * reason.
   */
  build(into: string, hash: string): Promise<void>;
  /** Returns the paths of further sources, which only a finished build names; none for a folder without a build. */
  furtherSources?(folder: string): Promise<readonly string[]>;
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
  const { base, current, isFresh } = await compare(plan);
  if (isFresh) return 'fresh';
  await requireOwnFolder(plan);
  log(`building ${title}`);
  // An installed package contains no empty folders.
  await mkdir(dirname(target), { recursive: true });
  await removeLeftovers(target);
  const unfinished = `${target}.${process.pid}`;
  try {
    await plan.build(unfinished, current.hash);
    await writeStamp(unfinished, combine(base, await furtherStamp(plan, unfinished)));
    await replaceBuild(unfinished, target);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return 'built';
}

/** A folder without a stamp that is not in our sources belongs to the user. */
async function requireOwnFolder({ target, isUserFolder }: BuildPlan): Promise<void> {
  if (isUserFolder !== true || (await readStamp(target)) !== undefined) return;
  const [name] = await readdir(target).catch(() => []);
  if (name === undefined) return;
  throw new Error(
    `${target} contains files of another program, e.g. ${name}. Allowed: an empty folder, or a build. Move the files, or remove them.`,
  );
}

/** Returns whether a build of the current sources exists. */
export async function isUpToDate(plan: SourcesOfBuild): Promise<boolean> {
  return (await compare(plan)).isFresh;
}

type SourcesOfBuild = Pick<BuildPlan, 'root' | 'sources' | 'target' | 'furtherSources'>;

interface Comparison {
  /** Stamp of the sources that the plan names. */
  base: Stamp;
  /** Stamp of all sources. */
  current: Stamp;
  isFresh: boolean;
}

/** Reads the contents of the sources only if their fingerprint differs from that of the last build. */
async function compare(plan: SourcesOfBuild): Promise<Comparison> {
  const { root, sources, target } = plan;
  const files = listSources(sources);
  const further = await furtherSourcesOf(plan, target);
  const fingerprint = combineTexts(
    fingerprintOf(files),
    further.length > 0 ? fingerprintOf(further) : undefined,
  );
  const last = await readStamp(target);
  if (last?.fingerprint === fingerprint) return { base: last, current: last, isFresh: true };
  const base = await stampOf(files, root);
  const current = combine(base, further.length > 0 ? await stampOf(further, root) : undefined);
  const isFresh = last?.hash === current.hash;
  // A build in a folder that cannot be written to is read again at each start.
  if (isFresh) await writeStamp(target, current).catch(() => undefined);
  return { base, current, isFresh };
}

async function furtherSourcesOf({ furtherSources }: SourcesOfBuild, folder: string): Promise<string[]> {
  return listSources((await furtherSources?.(folder)) ?? []);
}

async function furtherStamp(plan: SourcesOfBuild, folder: string): Promise<Stamp | undefined> {
  const files = await furtherSourcesOf(plan, folder);
  return files.length > 0 ? stampOf(files, plan.root) : undefined;
}

async function stampOf(files: readonly string[], root: string): Promise<Stamp> {
  return { hash: await hashFiles(files, root), fingerprint: fingerprintOf(files) };
}

/** The stamp of the named sources is older than the build, so that a change during the build is noticed. */
function combine(base: Stamp, further: Stamp | undefined): Stamp {
  return {
    hash: combineTexts(base.hash, further?.hash),
    fingerprint: combineTexts(base.fingerprint, further?.fingerprint),
  };
}

function combineTexts(base: string, further: string | undefined): string {
  return further === undefined ? base : createHash('sha256').update(base).update(further).digest('hex');
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

/**
 * A running server has loaded all that it needs of the old build, or the new one contains it. Of two processes that build at the
 * same time, the later one replaces the build of the other.
 */
async function replaceBuild(unfinished: string, target: string): Promise<void> {
  const old = `${unfinished}.old`;
  for (;;) {
    await rename(target, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const isReplaced = await rename(unfinished, target).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
        throw error;
      },
    );
    await rm(old, { recursive: true, force: true });
    if (isReplaced) return;
  }
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
