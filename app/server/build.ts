/** The production builds of pages. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildPlan, runBuilder } from '@greenroom/builds';
import { type Product, ProductError } from '@greenroom/product';
import { readOutsideSources } from '../bundle/product/outside-sources.ts';
import { APP_FOLDER, BUILD_FOLDER } from './build-folder.ts';
import { recordBuild } from './build-history.ts';
import { describeFailure } from './builder-output.ts';
import { writePalettes } from './palettes.ts';
import { precompress } from './precompress.ts';

/** The id of a build is the beginning of its sources' hash. */
const BUILD_ID_LENGTH = 16;
const ROOT = fileURLToPath(APP_FOLDER);
/** Versions of the packages that a build contains, in the repository. */
const LOCK_FILE = 'package-lock.json';
/** Versions of the packages of a product, by the program that installs them. */
const LOCK_FILES = [LOCK_FILE, 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
/** In an installed package, its version stands for its sources. */
const MANIFEST = 'package.json';

/** Returns the plan of the build: pages for the server, and the browser's files with compressed copies. */
export function appBuild(): BuildPlan {
  const target = fileURLToPath(BUILD_FOLDER).replace(/[\\/]$/, '');
  return planOf({ title: 'the app', root: ROOT, sources: [ROOT, join(ROOT, '..', LOCK_FILE)], target });
}

/**
 * Returns the plan of the build of a product, which contains the built-in pages as well. Building rejects with
 * `ProductError` if the build tools are not installed.
 */
export function productBuild({ folder, appFolder = join(folder, 'app') }: Product): BuildPlan {
  return planOf(
    {
      title: 'the pages of the product',
      root: folder,
      sources: [
        ROOT,
        join(ROOT, '..', MANIFEST),
        join(ROOT, '..', LOCK_FILE),
        appFolder,
        ...LOCK_FILES.map((name) => join(folder, name)),
      ],
      target: join(folder, 'build'),
      isUserFolder: true,
      furtherSources: async (build) => (await readOutsideSources(build)).map((path) => resolve(folder, path)),
    },
    appFolder,
  );
}

/** @param appFolder the folder `app/` of a product */
function planOf(plan: Omit<BuildPlan, 'build'>, appFolder?: string): BuildPlan {
  const { title, target } = plan;
  const env = appFolder === undefined ? {} : { GREENROOM_PRODUCT_APP: appFolder };
  return {
    ...plan,
    async build(into, hash) {
      requireUsablePath(plan.root);
      await runBuilder({
        title,
        args: [builderOf(plan.root), 'build'],
        cwd: ROOT,
        env: { ...env, GREENROOM_APP_BUILD: into },
        ...(appFolder !== undefined && {
          describeFailure: (output) => describeFailure(output, { root: ROOT, appFolder }),
        }),
      });
      await writePalettes(into);
      await precompress(join(into, 'client', 'assets'));
      await recordBuild(into, target, { id: hash.slice(0, BUILD_ID_LENGTH), timestamp: Date.now() });
    },
  };
}

/** The bundler takes these characters for the beginning of a query, a fragment or a pattern. */
function requireUsablePath(path: string): void {
  const [wrong] = /[#?*]/.exec(path) ?? [];
  if (wrong === undefined) return;
  throw new ProductError(`The pages in ${path} cannot be built. Allowed: a folder without # ? * in its path`);
}

function builderOf(folder: string): string {
  try {
    return createRequire(import.meta.url)
      .resolve('@react-router/dev/package.json')
      .replace(/package\.json$/, 'bin.cjs');
  } catch {
    throw new ProductError(
      `The pages in ${folder} are not built, and the build tools are not installed. ` +
        'Install the development dependencies and run "npx greenroom build".',
    );
  }
}
