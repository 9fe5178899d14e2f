/** Prepares functions so that their processes start fast: their files, and their compiled code. */
import type { ProjectFunction } from '@greenroom/project';
import type { FunctionsMetrics } from '../metrics.ts';
import type { FunctionsConfig } from '../settings.ts';
import type { PreparedFunction } from '../source/prepared-function.ts';
import type { Preparation } from './preparation.ts';
import { rememberPrepared } from './prepared-functions.ts';
import type { RunFolder } from './run-folder.ts';

/** Options of {@link createPrepareToStart}. */
interface PrepareToStartOptions {
  config: FunctionsConfig;
  preparation: Pick<Preparation, 'prepare' | 'program' | 'userOf' | 'signal'>;
  runFolder: RunFolder;
  metrics: FunctionsMetrics;
}

/**
 * Returns a function that prepares a function once per version, and one at a time. It rejects with `StartFailure`, or when
 * the preparation is closed.
 */
export function createPrepareToStart({ config, preparation, runFolder, metrics }: PrepareToStartOptions) {
  async function prepare(source: ProjectFunction, isBackground: boolean): Promise<PreparedFunction> {
    const { name } = source;
    const prepared = await preparation.prepare(source, { isBackground });
    const [program, user] = [await preparation.program(), await preparation.userOf(name)];
    const { warmCache } = await import('./warm-cache.ts');
    const { signal } = preparation;
    await warmCache({ name, prepared, config, program, runFolder, user, signal, isBackground });
    return prepared;
  }

  return rememberPrepared(async (source, { isBackground = false } = {}) => {
    const { preparations } = metrics;
    const prepared = await prepare(source, isBackground).catch((error: unknown) => {
      preparations.inc({ result: 'failure' });
      throw error;
    });
    preparations.inc({ result: 'success' });
    return prepared;
  });
}
