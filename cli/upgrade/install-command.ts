/** The command that installs another version of the package into a project. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isTarball } from './fetch-release.ts';

/** Programs that install packages, by the names of their lock files. */
const PROGRAMS: Readonly<Record<string, ProgramName>> = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
};

type ProgramName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** A command line. */
export interface InstallCommand {
  program: ProgramName;
  args: readonly string[];
}

/** The version to install. */
interface Installation {
  /** Absolute path of the project. */
  folder: string;
  /** Path of a tarball, or a version or tag; undefined for the newest version that package.json allows. */
  target: string | undefined;
  /** Version that the target has. */
  version: string;
}

/** Returns the command of the program whose lock file is in the folder, or in a folder above it, as in workspaces. */
export function installCommand({ folder, target, version }: Installation): InstallCommand {
  const program = programOf(folder);
  const add = (release: string): InstallCommand => ({
    program,
    args: [program === 'npm' ? 'install' : 'add', release],
  });
  if (target !== undefined && isTarball(target)) return add(`greenroom@file:${resolve(target)}`);
  if (target !== undefined) return add(`greenroom@${version}`);
  // The versions of yarn have different commands for an update.
  return program === 'yarn' ? add(`greenroom@^${version}`) : { program, args: ['update', 'greenroom'] };
}

/** The nearest lock file counts. */
function programOf(folder: string): ProgramName {
  const found = Object.entries(PROGRAMS).find(([name]) => existsSync(join(folder, name)));
  if (found !== undefined) return found[1];
  const parent = dirname(folder);
  return parent === folder ? 'npm' : programOf(parent);
}

/** Returns the text of a command for people. */
export function textOfCommand({ program, args }: InstallCommand): string {
  return [program, ...args].join(' ');
}
