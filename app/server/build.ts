/**
 * Builds the app if its sources have changed since the last build. A build is replaced as a whole or not at
 * all.
 */
import { spawn } from 'node:child_process';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APP_FOLDER, BUILD_FOLDER } from './build-folder.ts';
import { recordBuild } from './build-history.ts';
import { precompress } from './precompress.ts';
import { hashSources } from './source-hash.ts';

/** A file in a finished build with the hash of its sources. */
const STAMP = 'source-hash';
/** Number of output lines in the error message of a failed build. */
const SHOWN_LINES = 40;
/** The id of a build is the beginning of its sources' hash. */
const BUILD_ID_LENGTH = 16;

/** Folders and the build function; tests replace them. */
export interface BuildPlan {
  sources: string;
  /** Other files that a build depends on. */
  more: readonly string[];
  /** Folder of the finished build. */
  target: string;
  /**
   * Builds the sources with this hash into a folder that does not exist yet; rejects with a message that
   * contains the reason.
   */
  build(into: string, hash: string): Promise<void>;
}

/** Builds the app unless the build is up to date. Rejects with the reason if the build fails. */
export function ensureBuilt({ log }: { log(message: string): void }): Promise<'built' | 'fresh'> {
  return ensureBuild(appBuild(), log);
}

/** Like {@link ensureBuilt}, for any plan. */
export async function ensureBuild(
  plan: BuildPlan,
  log: (message: string) => void,
): Promise<'built' | 'fresh'> {
  const hash = await hashSources(plan.sources, plan.more);
  if ((await readStamp(plan.target)) === hash) return 'fresh';
  log('building the app');
  await removeLeftovers(plan.target);
  const unfinished = `${plan.target}.${process.pid}`;
  try {
    await plan.build(unfinished, hash);
    await writeFile(join(unfinished, STAMP), hash);
    await replaceBuild(unfinished, plan.target);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return 'built';
}

function appBuild(): BuildPlan {
  const sources = fileURLToPath(APP_FOLDER);
  const target = fileURLToPath(BUILD_FOLDER).replace(/[\\/]$/, '');
  return {
    sources,
    more: [join(sources, '..', 'package-lock.json')],
    target,
    async build(into, hash) {
      await runBundler(sources, into);
      await precompress(join(into, 'client', 'assets'));
      await recordBuild(into, target, { id: hash.slice(0, BUILD_ID_LENGTH), timestamp: Date.now() });
    },
  };
}

async function readStamp(target: string): Promise<string | undefined> {
  return readFile(join(target, STAMP), 'utf8').catch(() => undefined);
}

/** A running server has loaded the old build completely, so the old folder can be removed. */
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

/** Runs the bundler in a child process, so that its memory is released before the server starts. */
function runBundler(sources: string, into: string): Promise<void> {
  const bin = createRequire(import.meta.url)
    .resolve('@react-router/dev/package.json')
    .replace(/package\.json$/, 'bin.cjs');
  const bundler = spawn(process.execPath, [bin, 'build'], {
    cwd: sources,
    env: { ...process.env, NODE_ENV: 'production', GREENROOM_APP_BUILD: into },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [bundler.stdout, bundler.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    bundler.once('error', reject);
    bundler.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(new Error(`The build of the app failed (${signal ?? `exit ${code}`}):\n${lastLines(output)}`));
    });
  });
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}
