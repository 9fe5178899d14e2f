/** Writes the package: a folder with the tree of the repository, and its tarball. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ensureBuild } from '@greenroom/builds';
import { appBuild } from '../../app/server/build.ts';
import { bundleInto } from './bundle.ts';
import { TYPES_FOLDER } from './exports.ts';
import { copyShippedFiles } from './files.ts';
import { thirdPartyLicenses } from './licenses.ts';
import { packageManifest } from './manifest.ts';
import { pack } from './pack.ts';
import { writePageTypes } from './page-types.ts';
import { ROOT } from './root.ts';
import { writeTypes } from './types.ts';

/** Options of {@link writePackage}. */
interface PackageOptions {
  version: string;
  /** Folder of the tarball. */
  into: string;
  log: (message: string) => void;
}

/** Writes the tarball and returns its path. Needs no network. */
export async function writePackage({ version, into, log }: PackageOptions): Promise<string> {
  await mkdir(into, { recursive: true });
  const folder = await mkdtemp(join(into, '.package-'));
  try {
    await ensureBuild(appBuild(), log);
    log('bundling the program');
    await writeTree(folder, version);
    return await pack(folder, into);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the content of the package into a folder. The app must be built. */
export async function writeTree(folder: string, version: string): Promise<void> {
  const { externals, modules } = await bundleInto(folder, version);
  await writeTypes(join(folder, TYPES_FOLDER));
  await writePageTypes(join(folder, TYPES_FOLDER));
  await copyShippedFiles(folder);
  await copyPages(folder);
  await copyWebAssembly(folder);
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(modules));
  const manifest = JSON.stringify(packageManifest(version, externals), undefined, 2);
  await writeFile(join(folder, 'package.json'), `${manifest}\n`);
}

/** The pages that an instance without a product serves. */
async function copyPages(folder: string): Promise<void> {
  const { target } = appBuild();
  await cp(target, join(folder, 'app', 'build'), { recursive: true });
}

/** pg_dump, which its program loads from its own folder. */
async function copyWebAssembly(folder: string): Promise<void> {
  const { resolve } = createRequire(join(ROOT, 'platform', 'dump', 'index.ts'));
  const file = join(dirname(resolve('@electric-sql/pglite-tools/pg_dump')), 'pg_dump.wasm');
  await cp(file, join(folder, 'platform', 'dump', 'pg_dump.wasm'));
}
