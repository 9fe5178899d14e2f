/** Random plans of rounds. */
import type { Victims } from '../crash/launch.ts';
import { pick, type Random } from '../crash/random.ts';

/** A process that is killed while the clients write; the instance starts it again. */
export const VICTIMS = ['postmaster', 'backend', 'agent', 'maintenance'] as const;

/** See {@link VICTIMS}. */
export type Victim = (typeof VICTIMS)[number];

/** How the load ends. `stop`: by SIGTERM; `none`: the instance goes on. */
export type End = Exclude<Victims, 'postmaster'> | 'stop' | 'none';

const KILLING_ENDS: readonly End[] = ['server', 'server and postmaster', 'all processes'];
const ENDS: readonly End[] = [...KILLING_ENDS, 'server', 'all processes', 'stop', 'none', 'none'];
/** Clients write for at least, and at most. */
const LOAD_MS = [5000, 10_000] as const;
const MAX_KILLS = 2;
/** About the duration of a start. */
const START_MS = 2500;
const MAX_KILLED_STARTS = 2;
const CHANCES = { killedStart: 0.2, newPort: 0.15, latest: 0.25, earlier: 0.25, keeps: 0.15, removed: 0.1 };

/** A kill at a part of the load, from 0 to 1. */
interface PlannedKill {
  victim: Victim;
  at: number;
}

/** A round: start, load with kills, end, restore, comparison. */
export interface RoundPlan {
  /** Milliseconds after which starts are killed before the one that stays, and the victims. */
  killedStarts: { afterMs: number; victims: Victims }[];
  usesNewPort: boolean;
  loadMs: number;
  kills: PlannedKill[];
  end: End;
  /** `earlier`: a second of any round before. */
  target: 'time' | 'earlier' | 'latest';
  /** Choices of the restored round and second, from 0 to 1. */
  chosenRound: number;
  chosenTime: number;
  /**
   * - `next to it`: restored into another folder, which is removed after the comparison
   * - `in its place`: the instance goes on with the restored data
   * - `after removal`: the same after the loss of the data folder
   */
  place: 'next to it' | 'in its place' | 'after removal';
  /** For the choices of the clients. */
  seed: number;
}

/** Returns the next plan. Always takes as many random numbers, so that changes of one choice leave the others. */
export function planRound(random: Random): RoundPlan {
  const [starts, port, place, target] = [random(), random(), random(), random()];
  const [loads, kills, killedStarts] = [random(), random(), random()];
  const planned = {
    killedStarts: Array.from({ length: MAX_KILLED_STARTS }, () => ({
      afterMs: Math.round(random() * START_MS),
      victims: pick<Victims>(random, ['server', 'server and postmaster', 'all processes']),
    })),
    kills: Array.from({ length: MAX_KILLS }, () => ({ victim: pick(random, VICTIMS), at: random() })),
    end: pick(random, ENDS),
    killingEnd: pick(random, KILLING_ENDS),
    chosenRound: random(),
    chosenTime: random(),
    seed: Math.floor(random() * 2 ** 32),
  };
  const isNextToIt = place >= CHANCES.keeps + CHANCES.removed;
  return {
    killedStarts:
      starts < CHANCES.killedStart
        ? planned.killedStarts.slice(0, 1 + Math.floor(killedStarts * MAX_KILLED_STARTS))
        : [],
    usesNewPort: port < CHANCES.newPort,
    loadMs: Math.round(LOAD_MS[0] + loads * (LOAD_MS[1] - LOAD_MS[0])),
    kills: planned.kills.slice(0, Math.floor(kills * (MAX_KILLS + 1))),
    // Data can only be replaced while no instance uses it.
    end: isNextToIt || planned.end !== 'none' ? planned.end : planned.killingEnd,
    target: targetOf(target, isNextToIt),
    chosenRound: planned.chosenRound,
    chosenTime: planned.chosenTime,
    place: isNextToIt ? 'next to it' : place < CHANCES.keeps ? 'in its place' : 'after removal',
    seed: planned.seed,
  };
}

function targetOf(chance: number, isNextToIt: boolean): RoundPlan['target'] {
  if (chance < CHANCES.latest) return 'latest';
  return isNextToIt && chance < CHANCES.latest + CHANCES.earlier ? 'earlier' : 'time';
}
