/** Runs a short version of `npm run crash` (crash/main.ts) with a fixed seed. */
import { expect, test } from '@playwright/test';
import { canUnshare } from './crash/launch.ts';
import { seededRandom } from './crash/random.ts';
import { KINDS, type Kind, runRounds } from './crash/rounds.ts';
import { fillDataFolder } from './support/prepared-folder.ts';

const SEED = 20;
/**
 * Kinds of crashes that leave a pid file behind. In a PID namespace, a later process may get the pid that it contains.
 */
const KINDS_WITH_PID_FILE: readonly Kind[] = ['server and postmaster', 'all processes', 'later start'];

async function expectNothingLost(kinds: readonly Kind[], isInNamespace: boolean): Promise<void> {
  const { acknowledged, lost, refused, orphans } = await runRounds({
    kinds,
    random: seededRandom(SEED),
    isInNamespace,
    prepare: fillDataFolder,
    print: (line) => test.info().annotations.push({ type: 'round', description: line }),
  });
  expect({ lost, refused, orphans }).toEqual({ lost: [], refused: [], orphans: [] });
  expect(acknowledged).toBeGreaterThan(0);
}

test('SIGKILL of server, PostgreSQL or both, and during starts, loses no acknowledged write', async () => {
  test.skip(process.platform !== 'linux', 'processes are found in /proc');
  await expectNothingLost(KINDS, false);
});

test('SIGKILL in a PID namespace, where pids repeat, loses no acknowledged write', {
  tag: '@trial',
}, async () => {
  test.skip(!canUnshare(), 'unshare may not create a PID namespace here');
  await expectNothingLost(KINDS_WITH_PID_FILE, true);
});
