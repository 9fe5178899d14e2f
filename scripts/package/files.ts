/** The files of the repository that the package contains as they are. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from './root.ts';

const TEST = /\.test\.tsx?$|\/(testing|tests|fuzz|conformance)\//;

/**
 * Sources of pages, files that the program reads, and the modules that Deno loads. All other sources are in the bundle.
 */
const INCLUDED: readonly RegExp[] = [
  /^(LICENSE|CHANGELOG\.md)$/,
  /^cli\/(bin|find-node)\.mjs$/,
  /^app\/.*\.(tsx?|css|sql|svg|png|ico|txt|webmanifest|json)$/,
  /^(platform|services)\/.*\/migrations\/.*\.sql$/,
  /^platform\/postgres\/extensions\//,
  /^services\/functions\/runtime\/bootstrap\//,
  // Its version is part of a response.
  /^services\/storage\/package\.json$/,
];
/** Vite loads its bundled form. */
const EXCLUDED = /^app\/(vite\.config\.ts|package\.json|tsconfig\.json)$/;

/** Returns the paths of the files, relative to the repository. */
export function shippedFiles(): string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\0')
    .filter((path) => INCLUDED.some((each) => each.test(path)) && !EXCLUDED.test(path) && !TEST.test(path));
}

/** Copies the files to the same places below a folder. */
export async function copyShippedFiles(folder: string): Promise<void> {
  for (const path of shippedFiles()) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(ROOT, path), target);
  }
}
