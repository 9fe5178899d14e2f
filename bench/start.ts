/** Measures the time from the command to the first served page: on a new data folder, and on later starts. */
import type { Figure } from './measure/figure.ts';
import { startGreenroomProcess, temporaryFolder } from './measure/process.ts';

const LATER_STARTS = 5;
const TARGET_MS = 1500;

/** Runs the group. The app is built beforehand, as it is at every start but the first. */
export async function benchStart(): Promise<Figure[]> {
  await warmUp();
  const { folder, remove } = await temporaryFolder();
  const fresh = await timeToFirstPage(folder);
  const restarts: number[] = [];
  for (let i = 0; i < LATER_STARTS; i++) restarts.push(await timeToFirstPage(folder));
  await remove();
  const worst = Math.max(...restarts);
  return [
    { name: 'fresh data folder to first page', value: `${Math.round(fresh)} ms` },
    {
      name: `later start to first page, worst of ${LATER_STARTS}`,
      value: `${Math.round(worst)} ms (best ${Math.round(Math.min(...restarts))} ms)`,
      target: { text: `under ${TARGET_MS} ms`, met: worst < TARGET_MS },
    },
  ];
}

/** Builds the app and fills the compile cache. */
async function warmUp(): Promise<void> {
  const { folder, remove } = await temporaryFolder();
  await timeToFirstPage(folder);
  await remove();
}

async function timeToFirstPage(folder: string): Promise<number> {
  const started = performance.now();
  const instance = await startGreenroomProcess(folder);
  const response = await fetch(`${instance.url}/login`);
  await response.text();
  const ms = performance.now() - started;
  await instance.stop();
  if (response.status !== 200) throw new Error(`/login responded with status ${response.status}`);
  return ms;
}
