/** Figures of the trial. */
import type { Deviation } from './compare.ts';

const SECOND_MS = 1000;

/** What happened in all rounds. */
export interface Figures {
  rounds: number;
  kills: Map<string, number>;
  acknowledged: number;
  /** Number of restores by their target. */
  restores: Map<string, number>;
  /** Objects whose content was not stored when their server ended or the restore began. Restores leave them out. */
  unstoredObjects: number;
  /**
   * At each kill of a server, in milliseconds: age of the newest restorable time, and an upper limit of the age of the newest
   * object that is stored with all older ones.
   */
  logLags: number[];
  contentLags: number[];
  /** Duration of each restore, in milliseconds. */
  restoreTimes: number[];
  broken: string[];
}

export function newFigures(): Figures {
  return {
    rounds: 0,
    kills: new Map(),
    acknowledged: 0,
    restores: new Map(),
    unstoredObjects: 0,
    logLags: [],
    contentLags: [],
    restoreTimes: [],
    broken: [],
  };
}

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Returns the lines at the end of the trial. */
export function figureLines(figures: Figures): string[] {
  const {
    rounds,
    kills,
    acknowledged,
    restores,
    logLags,
    contentLags,
    restoreTimes,
    broken,
    unstoredObjects,
  } = figures;
  const kinds = (counts: Map<string, number>) =>
    [...counts].map(([name, number]) => `${number} ${name}`).join(', ') || 'none';
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, each) => total + each, 0);
  return [
    ...broken.map((each) => `broken: ${each}`),
    `kills: ${kinds(kills)}`,
    `restores: ${kinds(restores)}; ${unstoredObjects} objects left out, whose content was written within the lag of a kill or of the restore`,
    `lag of objects at kills: ${summary(contentLags)}`,
    `${rounds} rounds, ${sum(kills)} kills, ${acknowledged} acknowledged writes, ${sum(restores)} restored states: ` +
      `${broken.length} promises broken; lag ${summary(logLags)}, restore ${summary(restoreTimes)}`,
  ];
}

function summary(values: readonly number[]): string {
  const sorted = values.toSorted((left, right) => left - right);
  return `median ${secondsText(sorted[sorted.length >> 1])}, at most ${secondsText(sorted.at(-1))}`;
}

export function secondsText(milliseconds = 0): string {
  return `${(milliseconds / SECOND_MS).toFixed(1)} s`;
}

/** Describes an item that differs, with times relative to the restored one. */
export function deviationText({ kind, id, found, allowed, writes }: Deviation, time: number): string {
  const text = (value: string | undefined) => (value === undefined ? 'missing' : JSON.stringify(value));
  const relative = (at: number | undefined) =>
    at === undefined ? 'never' : at === 0 ? 'before' : `${at >= time ? '+' : ''}${Math.round(at - time)} ms`;
  const history = writes
    .slice(-4)
    .map(
      (write) =>
        `${text(write.value)} sent ${relative(write.sentAt)}, acknowledged ${relative(write.acknowledgedAt)}`,
    );
  return `${kind} ${id}: found ${text(found)}, expected ${allowed.map(text).join(' or ')}; writes: ${history.join('; ')}`;
}
