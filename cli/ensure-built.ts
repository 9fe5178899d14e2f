/** Builds the app, the bundled program and the database template if their sources have changed. */
import { appBuild } from '@greenroom/app/build';
import { ensureBuild } from '@greenroom/builds';
import { databaseTemplateBuild } from '@greenroom/server/database-template';
import { programBuild } from './program/plan.ts';

/** Resolves with whether anything was built; rejects with the reason if a build fails. */
export async function ensureBuilt(log: (message: string) => void): Promise<'built' | 'fresh'> {
  const plans = [appBuild(), programBuild(), databaseTemplateBuild()];
  const outcomes = await Promise.all(plans.map((plan) => ensureBuild(plan, log)));
  return outcomes.includes('built') ? 'built' : 'fresh';
}
