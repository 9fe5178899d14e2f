/** Measures the first answer of functions, which starts their processes, compared with bare Deno. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../measure/figure.ts';
import { readKeys, startGreenroomProcess, temporaryFolder } from '../measure/process.ts';
import { descendantsOf, nameOf } from '../measure/process-tree.ts';
import { medianOf, timesText } from '../measure/times.ts';
import { startBareDeno } from './bare-deno.ts';
import { FUNCTIONS } from './project.ts';

const ROUNDS = 9;
const TARGET_MS = 150;

/** Starts an instance whose functions end a second after their last request, and calls them again and again. */
export async function benchFirstAnswers(options: { folder: string; project: string }): Promise<Figure[]> {
  const { folder, project } = options;
  // The preparation of many other functions would take the processor from the measured ones.
  const settings = { GREENROOM_FUNCTIONS_IDLE_SECONDS: '1', GREENROOM_FUNCTIONS_PREPARE_AHEAD: 'false' };
  const instance = await startGreenroomProcess(folder, settings, ['--project', project]);
  const { ANON_KEY: apikey = '' } = await readKeys(folder);
  const headers = { authorization: `Bearer ${apikey}` };
  const call = async (name: string) => {
    const startedAt = performance.now();
    const response = await fetch(`${instance.url}/functions/v1/${name}`, { headers });
    await response.text();
    if (!response.ok) throw new Error(`function ${name} responded with ${response.status}`);
    return performance.now() - startedAt;
  };
  const figures: Figure[] = [
    { name: 'bare Deno, start to first answer', value: timesText(await bareTimes()) },
  ];
  try {
    for (const name of Object.keys(FUNCTIONS)) {
      const prepared = await call(name);
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await waitForEnd(instance.child.pid ?? 0);
        times.push(await call(name));
      }
      figures.push(...answerFigures(name, prepared, times));
    }
  } finally {
    await instance.stop();
  }
  return figures;
}

function answerFigures(name: string, prepared: number, times: readonly number[]): Figure[] {
  return [
    { name: `first answer of ${name} after a change`, value: `${Math.round(prepared)} ms` },
    {
      name: `first answer of ${name}, median of ${times.length}`,
      value: timesText(times),
      target: { text: `at most ${TARGET_MS} ms`, met: medianOf(times) <= TARGET_MS },
    },
  ];
}

async function bareTimes(): Promise<number[]> {
  const { folder, remove } = await temporaryFolder();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const bare = await startBareDeno(folder);
    times.push(performance.now() - startedAt);
    await bare.stop();
  }
  await remove();
  return times;
}

/** Waits until no function of an instance has a process. */
async function waitForEnd(pid: number): Promise<void> {
  for (;;) {
    const names = await Promise.all((await descendantsOf(pid)).map(nameOf));
    if (!names.includes('deno')) return;
    await sleep(50);
  }
}
