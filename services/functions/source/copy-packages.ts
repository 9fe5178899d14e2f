/** Copies installed packages to a prepared function. */
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstalledPackage } from './installed-packages.ts';
import { layOut } from './package-layout.ts';
import { type ProgramRunner, runProgram } from './run-program.ts';

const TIMEOUT_MS = 300_000;
/** Packages inside of a package are copied separately. */
const NESTED = 'node_modules';

/** Copies packages with the files that their links lead to. */
export async function copyPackages(
  packages: readonly InstalledPackage[],
  folder: string,
  runner: Omit<ProgramRunner, 'program'>,
): Promise<void> {
  for (const { path, folder: from } of layOut(packages)) {
    const to = join(folder, path);
    await mkdir(to, { recursive: true });
    const names = (await readdir(from)).filter((name) => name !== NESTED);
    // Copying many files in this process takes ten times the processor time, and requests would wait for it.
    if (process.platform === 'win32') await copyHere(names, from, to);
    else await copyByProgram(names, { from, to, runner });
  }
}

async function copyHere(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names)
    await cp(join(from, name), join(to, name), { recursive: true, dereference: true });
}

interface CopyOptions {
  from: string;
  to: string;
  runner: Omit<ProgramRunner, 'program'>;
}

async function copyByProgram(names: readonly string[], { from, to, runner }: CopyOptions): Promise<void> {
  const args = ['-RL', '--', ...names.map((name) => join(from, name)), to];
  await runProgram({ ...runner, program: ['cp'] }, { args, env: copyEnvironment(), timeoutMs: TIMEOUT_MS });
}

function copyEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin' };
}
