/**
 * Measures functions and queues: the first answer and a warm one, compared with bare Deno on a Unix socket; the costs of
 * functions without requests; and queues, compared with their statements.
 */
import { join } from 'node:path';
import { benchFirstAnswers } from './functions/first-answers.ts';
import { benchIdleFunctions } from './functions/idle-functions.ts';
import { writeFunctions } from './functions/project.ts';
import { benchQueues } from './functions/queues.ts';
import { benchWarmAnswers } from './functions/warm-answers.ts';
import type { Figure } from './measure/figure.ts';
import { readKeys, startGreenroomProcess, temporaryFolder } from './measure/process.ts';

/** Limits that protect a server from load would distort the measurement. */
const NO_LIMITS = {
  GREENROOM_FUNCTIONS_CPU_MS: '3600000',
  GREENROOM_FUNCTIONS_LIFETIME_SECONDS: '86400',
  GREENROOM_FUNCTIONS_PREPARE_AHEAD: 'false',
};

/** Runs the group. */
export async function benchFunctions(): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const project = join(folder, 'project');
  await writeFunctions(project);
  const data = join(folder, 'data');
  const figures = await benchIdleFunctions({ folder: data, project });
  figures.push(...(await benchFirstAnswers({ folder: data, project })));
  const instance = await startGreenroomProcess(data, NO_LIMITS, ['--project', project]);
  opened.defer(() => instance.stop());
  const keys = await readKeys(data);
  figures.push(...(await benchWarmAnswers({ url: instance.url, keys, folder })));
  figures.push(...(await benchQueues({ url: instance.url, keys })));
  return figures;
}
