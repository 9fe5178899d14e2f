/** Measures the costs of functions without requests: their processes, and the memory of the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../measure/figure.ts';
import { startGreenroomProcess } from '../measure/process.ts';
import { descendantsOf, nameOf, residentMb } from '../measure/process-tree.ts';
import { IDLE_FUNCTIONS } from './project.ts';

const REST_MS = 5000;

/** Starts an instance of the project and leaves its functions alone. Measures on Linux only. */
export async function benchIdleFunctions(options: { folder: string; project: string }): Promise<Figure[]> {
  const name = `processes of ${IDLE_FUNCTIONS} idle functions`;
  if (process.platform !== 'linux') return [{ name, value: 'only measured on Linux' }];
  const { folder, project } = options;
  // Their preparation is not measured: it would take the processor from what follows.
  const settings = { GREENROOM_FUNCTIONS_PREPARE_AHEAD: 'false' };
  const instance = await startGreenroomProcess(folder, settings, ['--project', project]);
  // The project is read with the first request to a function.
  await (await fetch(`${instance.url}/functions/v1/nothing`)).text();
  await sleep(REST_MS);
  const pid = instance.child.pid ?? 0;
  const processes = await descendantsOf(pid);
  const names = await Promise.all(processes.map(nameOf));
  const count = names.filter((program) => program === 'deno').length;
  const memory = await residentMb(pid);
  await instance.stop();
  return [
    {
      name,
      value: `${count}; the server has ${Math.round(memory)} MB`,
      target: { text: 'none', met: count === 0 },
    },
  ];
}
