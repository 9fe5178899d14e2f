/** Starts a restored instance, and compares it with the journal. */
import type { Random } from '../crash/random.ts';
import { compare } from './compare.ts';
import type { Era } from './history.ts';
import type { State, StateBounds } from './journal.ts';
import { deviationText } from './report.ts';
import { type RestoredState, readState } from './restored-state.ts';
import type { Subject } from './subject.ts';

const MAX_NAMED = 10;
const REMOVED =
  /left out, because the archive does not have their content: (\d+)|deleted during the backup, so left out: (\d+)/;

/** A state that was restored. */
export interface RestoredTime {
  /** Undefined: the latest one. */
  time: number | undefined;
  era: Era;
  bounds: StateBounds;
}

/** Options of {@link compareRestored}. */
interface CompareOptions {
  subject: Subject;
  /** The restored folder; undefined: the data folder of the instance, which goes on. */
  folder: string | undefined;
  restored: RestoredTime;
  /** Of the restore. */
  output: string;
  random: Random;
}

/** Result of {@link compareRestored}. */
interface ComparedState {
  state: State;
  broken: string[];
  unstoredObjects: number;
}

/** Starts the restored instance; one in the data folder goes on. */
export async function compareRestored(options: CompareOptions): Promise<ComparedState> {
  const { restored, output } = options;
  const { state, contradictions } = await readRestored(options);
  const { era, bounds } = restored;
  const content = { ends: era.ends, until: era.contentUntil };
  const { deviations, unstoredObjects } = compare(era.journal, state, { bounds, content });
  const texts = deviations.map((each) => deviationText(each, bounds.after));
  const broken = [...contradictions, ...texts.slice(0, MAX_NAMED)];
  if (texts.length > MAX_NAMED) broken.push(`${texts.length - MAX_NAMED} further items differ`);
  const [, first, second] = REMOVED.exec(output) ?? [];
  const reported = Number(first ?? second ?? 0);
  if (unstoredObjects.length > reported)
    broken.push(
      `the restore reported ${reported} objects without content; missing are ${unstoredObjects.join(', ')}`,
    );
  return { state, broken, unstoredObjects: unstoredObjects.length };
}

async function readRestored({ subject, folder, random }: CompareOptions): Promise<RestoredState> {
  if (folder !== undefined)
    return subject.withRestored(folder, (access) => readState(folder, access, random));
  const { access } = await subject.start();
  return readState(subject.dataFolder, access, random);
}
