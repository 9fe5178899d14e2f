/**
 * Builds the app, the bundled program and the database template if their sources have changed. An installed package contains
 * the first two.
 */
import { appBuild, productBuild } from '@greenroom/app/build';
import { type BuildPlan, ensureBuild, isUpToDate } from '@greenroom/builds';
import type { Product } from '@greenroom/product';
import { databaseTemplateBuild } from '@greenroom/server/database-template';
import { HAS_SOURCES, PROGRAM_FOLDER, programBuild } from './program/plan.ts';

/**
 * Whether this module is part of the bundle. The process has compared the bundle with its sources then, before it loaded
 * this module.
 */
const IS_BUNDLED = import.meta.filename.startsWith(PROGRAM_FOLDER);

/** Options of {@link ensureBuilt}. */
interface BuildOptions {
  /** Whether an embedded database may be created: only then is the template built. */
  createsDatabase: boolean;
  /** Its pages are built instead of the built-in pages, if it has any. */
  product: Product | undefined;
  /** Whether the built-in pages are built as well, for starts of other projects. Default: no. */
  buildsAll?: boolean;
  log: (message: string) => void;
}

type Outcome = 'built' | 'fresh';

/**
 * Resolves with whether anything was built. Rejects with the reason if a build fails, except for that of the template,
 * without which a database is created more slowly.
 */
export async function ensureBuilt(options: BuildOptions): Promise<Outcome> {
  const { createsDatabase, product, buildsAll = false, log } = options;
  const ofPages = pagesBuild(product) ?? [];
  const ofSources = HAS_SOURCES && buildsAll && product?.hasPages ? appBuild() : [];
  const ofProgram = HAS_SOURCES && !IS_BUNDLED ? programBuild() : [];
  const builds = [ofPages, ofSources, ofProgram].flat().map((plan) => ensureBuild(plan, log));
  if (createsDatabase) builds.push(ensureTemplate(log));
  return (await Promise.all(builds)).includes('built') ? 'built' : 'fresh';
}

/** Returns whether the pages that a start serves are built from their present sources. */
export async function arePagesBuilt(product: Product | undefined): Promise<boolean> {
  const plan = pagesBuild(product);
  return plan === undefined || isUpToDate(plan);
}

/**
 * Returns the plan of the pages that a start serves; undefined if they are part of the installed package.
 * @param product undefined if the project has none
 */
function pagesBuild(product: Product | undefined): BuildPlan | undefined {
  if (product?.hasPages) return productBuild(product);
  return HAS_SOURCES ? appBuild() : undefined;
}

function ensureTemplate(log: (message: string) => void): Promise<Outcome> {
  return ensureBuild(databaseTemplateBuild(), log).catch((error: Error) => {
    log(`the database template was not built, so new databases take longer: ${error.message}`);
    return 'fresh';
  });
}
