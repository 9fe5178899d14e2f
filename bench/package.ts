/**
 * Measures the installation of the package in an empty folder, next to that of the programs alone that it runs: Node.js,
 * PostgreSQL and Deno. npm has all packages in its cache.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from './measure/figure.ts';
import { temporaryFolder } from './measure/process.ts';
import { medianOf, timesText } from './measure/times.ts';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = 3;
const MAX_OWN_MB = 130;

/** Runs the group. */
export async function benchPackage(): Promise<Figure[]> {
  const output = execFileSync(process.execPath, ['scripts/package.ts'], { cwd: ROOT, encoding: 'utf8' });
  const [, tarball = ''] = /^(\S+\.tgz) \(/m.exec(output) ?? [];
  const { folder, remove } = await temporaryFolder();
  try {
    // Fills the cache of npm.
    const first = await install(join(folder, 'first'), { greenroom: tarball });
    const programs = programsOf(first.folder);
    const own: number[] = [];
    const alone: number[] = [];
    let aloneMb = 0;
    for (let round = 0; round < ROUNDS; round++) {
      own.push((await install(join(folder, `own-${round}`), { greenroom: tarball })).ms);
      const reference = await install(join(folder, `alone-${round}`), programs);
      alone.push(reference.ms);
      aloneMb = reference.mb;
    }
    const share = medianOf(own) / medianOf(alone);
    return [
      { name: 'tarball', value: mbText(statSync(tarball).size / 1e6) },
      { name: 'Node.js, PostgreSQL and Deno alone', value: `${mbText(aloneMb)}, ${timesText(alone)}` },
      {
        name: 'npm install of the package',
        value: timesText(own),
        ratio: { of: 'these programs alone', share },
      },
      {
        name: 'size beyond these programs',
        value: mbText(first.mb - aloneMb),
        target: { text: `at most ${MAX_OWN_MB} MB`, met: first.mb - aloneMb <= MAX_OWN_MB },
      },
    ];
  } finally {
    await remove();
  }
}

interface Installation {
  folder: string;
  ms: number;
  /** Size of all files. */
  mb: number;
}

async function install(folder: string, dependencies: Record<string, string>): Promise<Installation> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }));
  const started = performance.now();
  execFileSync('npm', ['install', '--prefer-offline', '--silent'], { cwd: folder, stdio: 'ignore' });
  return { folder, ms: performance.now() - started, mb: sizeOf(join(folder, 'node_modules')) };
}

/** Returns the packages of programs that npm has installed for this machine. */
function programsOf(folder: string): Record<string, string> {
  const read = (name: string) => {
    try {
      return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
    } catch {
      return undefined;
    }
  };
  const { optionalDependencies } = read('greenroom') as { optionalDependencies: Record<string, string> };
  return Object.fromEntries(
    Object.entries(optionalDependencies).filter(([name]) => read(name) !== undefined),
  );
}

function sizeOf(folder: string): number {
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;
}

function mbText(mb: number): string {
  return `${mb.toFixed(1)} MB`;
}
