/** Measures the memory of every process of an idle instance (Linux: proportional set size from /proc). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './measure/figure.ts';
import { readPostmasterPid, startGreenroomProcess, temporaryFolder } from './measure/process.ts';
import { descendantsOf, proportionalMb } from './measure/process-tree.ts';

const TARGET_MB = 150;
const REST_MS = 5000;

/** Returns no figures on systems without /proc. */
export async function benchMemory(): Promise<Figure[]> {
  if (process.platform !== 'linux') return [{ name: 'idle memory', value: 'only measured on Linux' }];
  const { folder, remove } = await temporaryFolder();
  const instance = await startGreenroomProcess(folder);
  for (const path of ['/login', '/health']) await (await fetch(`${instance.url}${path}`)).text();
  await sleep(REST_MS);
  const node = await proportionalMb([instance.child.pid ?? 0]);
  const postmaster = await readPostmasterPid(folder);
  const postgres = await proportionalMb([postmaster, ...(await descendantsOf(postmaster))]);
  await instance.stop();
  await remove();
  const total = node + postgres;
  return [
    { name: 'Node.js, idle', value: `${Math.round(node)} MB` },
    { name: 'PostgreSQL, idle, all its processes', value: `${Math.round(postgres)} MB` },
    {
      name: 'together',
      value: `${Math.round(total)} MB`,
      target: { text: `at most ${TARGET_MB} MB`, met: total <= TARGET_MB },
    },
  ];
}
