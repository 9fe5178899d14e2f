/** Builds the app when its sources are not those of the last build. A build is swapped in whole, or not at all. */
import { spawn } from 'node:child_process';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APP_FOLDER, BUILD_FOLDER } from './build-folder.ts';
import { recordBuild } from './build-history.ts';
import { precompress } from './precompress.ts';
import { hashSources } from './source-hash.ts';

/** A file in a finished build that names the sources it was made of. */
const STAMP = 'source-hash';
/** As much of a failed build's output is shown. */
const SHOWN_LINES = 40;
/** A build is named by the beginning of its sources' fingerprint. */
const BUILD_ID_LENGTH = 16;

/** Folders and the act of building; tests put others in their place. */
export interface BuildPlan {
  /** Folder of the sources. */
  sources: string;
  /** Files elsewhere on which a build depends. */
  more: readonly string[];
  /** Folder of the finished build. */
  target: string;
  /** Builds the sources with this hash into a folder that does not exist yet; rejects with a message that says why it failed. */
  build(into: string, hash: string): Promise<void>;
}

/** Makes sure that there is a build of the sources as they are now. Rejects with the reason where that fails. */
export function ensureBuilt({ log }: { log(message: string): void }): Promise<'built' | 'fresh'> {
  return ensureBuild(appBuild(), log);
}

/** See {@link ensureBuilt}. */
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
    await swapIn(unfinished, plan.target);
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

/** A server that still runs on the old build has loaded it; only then may it go. */
async function swapIn(unfinished: string, target: string): Promise<void> {
  const old = `${unfinished}.old`;
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(unfinished, target);
  await rm(old, { recursive: true, force: true });
}

/** Removes what killed builds left behind; folders of builds that still run stay. */
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

/** In a process of its own, so that the bundler's memory is free again before the server starts. */
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
