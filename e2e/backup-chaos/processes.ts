/** Kills single processes of a running instance. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { kill, type Launched } from '../crash/launch.ts';
import { descendantsOf, findPostmaster, type ProcessInfo, processesOf } from '../crash/processes.ts';
import { pick, type Random } from '../crash/random.ts';
import type { Victim } from './plan.ts';

const POLL_MS = 50;
/** A maintenance process is killed within this time after it was found: about its duration. */
const MAINTENANCE_MS = 6000;
const PROGRAMS: Readonly<Partial<Record<Victim, RegExp>>> = {
  agent: /agent-process/,
  maintenance: /maintenance-process|backup-maintenance/,
};

/** Kills a process with SIGKILL; returns whether it was running. Waits for a maintenance process until `deadline`. */
export async function killOne(
  launched: Launched,
  victim: Victim,
  { random, deadline }: { random: Random; deadline: number },
): Promise<boolean> {
  const chance = random();
  if (victim === 'postmaster') {
    await kill(launched, 'postmaster');
    return true;
  }
  if (victim === 'backend') return end(pick(() => chance, await backendsOf(launched)));
  if (victim === 'maintenance') {
    const found = await waitForProgram(launched, deadline);
    if (found === undefined) return false;
    await sleep(Math.min(chance * MAINTENANCE_MS, Math.max(0, deadline - Date.now())));
  }
  return end(await findProgram(launched, victim));
}

async function waitForProgram(launched: Launched, deadline: number): Promise<ProcessInfo | undefined> {
  for (;;) {
    const found = await findProgram(launched, 'maintenance');
    if (found !== undefined || Date.now() > deadline) return found;
    await sleep(POLL_MS);
  }
}

async function familyOf({ child, folder }: Launched): Promise<ProcessInfo[]> {
  return descendantsOf(child.pid ?? 0, await processesOf(folder));
}

/** Returns the children of the postmaster: connections, and processes such as the checkpointer. */
async function backendsOf(launched: Launched): Promise<ProcessInfo[]> {
  const family = await familyOf(launched);
  const postmaster = findPostmaster(family);
  return family.filter(({ parent }) => parent === postmaster?.pid);
}

async function findProgram(launched: Launched, victim: Victim): Promise<ProcessInfo | undefined> {
  for (const each of await familyOf(launched)) {
    const command = await readFile(`/proc/${each.pid}/cmdline`, 'utf8').catch(() => '');
    if (PROGRAMS[victim]?.test(command)) return each;
  }
  return undefined;
}

function end(found: ProcessInfo | undefined): boolean {
  if (found === undefined) return false;
  try {
    process.kill(found.pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
