/**
 * The template of the embedded database: a cluster with all migrations. It is built like the app, and a new instance
 * copies it.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildPlan, isUpToDate } from '@greenroom/builds';
import { createTemplate, migrate } from '@greenroom/postgres';
import { MIGRATIONS, migrationFolders } from './migrations.ts';

const ROOT = join(import.meta.dirname, '..');
const TITLE = 'the database template';
const CLUSTER = 'postgres';

/** Returns the plan of the build. It depends on the migrations, on the version and settings of PostgreSQL, and
 * on the extensions that Greenroom provides. */
export function databaseTemplateBuild(): BuildPlan {
  return {
    title: TITLE,
    root: ROOT,
    sources: [
      ...migrationFolders(),
      join(ROOT, 'platform', 'postgres', 'embedded'),
      join(ROOT, 'platform', 'postgres', 'extensions'),
      join(ROOT, 'package-lock.json'),
    ],
    target: join(ROOT, 'server', 'build'),
    async build(into) {
      // PostgreSQL's user must be able to enter the folder.
      await mkdir(into, { mode: 0o755 });
      await createTemplate(join(into, CLUSTER), async (url) => void (await migrate(url, MIGRATIONS)));
    },
  };
}

/** Returns the path of the template; undefined if it has not been built for the current migrations. */
export async function findDatabaseTemplate(): Promise<string | undefined> {
  const plan = databaseTemplateBuild();
  return (await isUpToDate(plan)) ? join(plan.target, CLUSTER) : undefined;
}
