/** The attacker's process: runs one attack and sends its tally to the suite. */

import type { AttackInput } from '../attacker/attack.ts';
import type { AttackReport } from '../attacker/attacker-process.ts';
import { errorLabel } from '../attacker/http.ts';
import { Tally } from '../attacker/tally.ts';
import { ATTACKS } from './index.ts';

/** Maximum time for an attack to finish after its duration. */
const GRACE_MS = 5000;

process.once('message', async (input: AttackInput) => {
  const attack = ATTACKS.find(({ name }) => name === input.name);
  if (attack === undefined) throw new Error(`unknown attack: ${input.name}`);
  const tally = new Tally();
  const end = new AbortController();
  const ms = input.seconds * 1000;
  const before = process.cpuUsage();
  setTimeout(() => end.abort(), ms);
  const finish = () => {
    const { user, system } = process.cpuUsage(before);
    const report: AttackReport = { responses: tally.toRecord(), cpuMs: (user + system) / 1000 };
    process.send?.(report, () => process.exit(0));
  };
  setTimeout(finish, ms + GRACE_MS);
  try {
    await attack.run({ ...input, tally, signal: end.signal });
  } catch (error) {
    if (!end.signal.aborted) tally.count(`attack failed: ${errorLabel(error)}`);
  }
  finish();
});
process.on('disconnect', () => process.exit(0));
