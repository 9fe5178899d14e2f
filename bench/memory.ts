/** Measures the memory of every process of an idle instance (Linux: proportional set size from /proc). */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './measure/figure.ts';
import { readPostmasterPid, startGreenroomProcess, temporaryFolder } from './measure/process.ts';

const TARGET_MB = 150;
const REST_MS = 5000;

/** Returns no figures on systems without /proc. */
export async function benchMemory(): Promise<Figure[]> {
  if (process.platform !== 'linux') return [{ name: 'idle memory', value: 'only measured on Linux' }];
  const { folder, remove } = await temporaryFolder();
  const instance = await startGreenroomProcess(folder);
  for (const path of ['/login', '/health']) await (await fetch(`${instance.url}${path}`)).text();
  await sleep(REST_MS);
  const node = await pssMb([instance.child.pid ?? 0]);
  const postgres = await pssMb(await withDescendants(await readPostmasterPid(folder)));
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

/** Shared pages are counted once, divided among the processes that share them. */
async function pssMb(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, kb) => sum + kb, 0) / 1024;
}

async function withDescendants(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
        return [pid, Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])] as const;
      }),
    ),
  );
  return [parent, ...pids.filter((pid) => parents.get(pid) === parent)];
}
