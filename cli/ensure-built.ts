/** Builds the app and the bundled program if their sources have changed. */
import { appBuild } from '@greenroom/app/build';
import { ensureBuild } from '@greenroom/builds';
import { programBuild } from './program/plan.ts';

/** Resolves with whether anything was built; rejects with the reason if a build fails. */
export async function ensureBuilt(log: (message: string) => void): Promise<'built' | 'fresh'> {
  const outcomes = await Promise.all([appBuild(), programBuild()].map((plan) => ensureBuild(plan, log)));
  return outcomes.includes('built') ? 'built' : 'fresh';
}
