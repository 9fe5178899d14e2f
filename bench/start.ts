/**
 * Measures the time from the command to the first served page, on new data folders and on later starts, beside the start
 * of PostgreSQL alone.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Figure } from './measure/figure.ts';
import { startGreenroomProcess, temporaryFolder } from './measure/process.ts';
import { medianOf, timesText } from './measure/times.ts';

const FRESH_STARTS = 3;
const LATER_STARTS = 5;
const FRESH_TARGET_MS = 1500;
const LATER_TARGET_MS = 700;

/** Runs the group. The app is built beforehand, as it is at every start but the first. */
export async function benchStart(): Promise<Figure[]> {
  await warmUp();
  const fresh: number[] = [];
  for (let i = 0; i < FRESH_STARTS; i++) {
    const { folder, remove } = await temporaryFolder();
    fresh.push(await timeToFirstPage(folder));
    await remove();
  }
  const { folder, remove } = await temporaryFolder();
  await timeToFirstPage(folder);
  const later: number[] = [];
  const alone: number[] = [];
  for (let i = 0; i < LATER_STARTS; i++) {
    later.push(await timeToFirstPage(folder));
    alone.push(postgresAlone(folder));
  }
  await remove();
  return [
    { name: 'PostgreSQL alone, start to first row', value: timesText(alone) },
    startFigure('fresh data folder to first page', fresh, FRESH_TARGET_MS),
    startFigure('later start to first page', later, LATER_TARGET_MS),
  ];
}

/** The median must meet the target, because one start may wait for the disk of a shared machine. */
function startFigure(name: string, times: readonly number[], limitMs: number): Figure {
  return {
    name: `${name}, median of ${times.length}`,
    value: timesText(times),
    target: { text: `at most ${limitMs} ms`, met: medianOf(times) <= limitMs },
  };
}

/** Builds the app and fills the compile cache. */
async function warmUp(): Promise<void> {
  const { folder, remove } = await temporaryFolder();
  await timeToFirstPage(folder);
  await remove();
}

function postgresAlone(folder: string): number {
  const script = join(import.meta.dirname, 'reference/postgres-alone.ts');
  return Number(execFileSync(process.execPath, [script, folder], { encoding: 'utf8' }));
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
