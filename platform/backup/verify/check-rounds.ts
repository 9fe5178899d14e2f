/** Checks the rounds of content that follow the backups. */
import type { Archive } from '../archive/archive.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { readRound, readRoundReferences } from '../archive/content/round.ts';
import { parseRound, timeText } from '../archive/layout.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { isDamage } from './check-chunks.ts';
import { type AffectedTimes, type Damage, damageOf } from './report.ts';

/** A round whose references were read. */
interface CheckedRound {
  name: string;
  references: Buffer;
  times: AffectedTimes[];
}

/** Result of checking rounds. */
interface RoundReport {
  rounds: CheckedRound[];
  damages: Damage[];
  bytes: number;
}

/** Reads the rounds of all lineages that have a backup; with an archive, also their entries. */
export async function checkRounds(
  store: ArchiveStore,
  archive: Archive | undefined,
  lineages: ReadonlyMap<string, readonly PhysicalManifest[]>,
): Promise<RoundReport> {
  const report: RoundReport = { rounds: [], damages: [], bytes: 0 };
  for (const [lineage, backups] of lineages) {
    for await (const batch of store.list(`content/${lineage}/`)) {
      for (const { name, size } of batch) {
        const round = parseRound(name);
        if (round === undefined) continue;
        const times = timesAround(lineage, backups, round.time);
        report.bytes += size;
        try {
          const references = await readRoundReferences(store, name);
          if (archive !== undefined) await readRound(archive, name, (entry) => entry);
          report.rounds.push({ name, references, times });
        } catch (error) {
          if (!isDamage(error)) throw error;
          report.damages.push(damageOf(name, error, { times }));
        }
      }
    }
  }
  return report;
}

/** Returns the times between the backups around a round. A backup contains all content before it. */
function timesAround(lineage: string, backups: readonly PhysicalManifest[], time: string): AffectedTimes[] {
  const timeOf = ({ createdAt }: PhysicalManifest) => timeText(new Date(createdAt));
  const before = backups.findLast((backup) => timeOf(backup) <= time);
  const after = backups.find((backup) => timeOf(backup) > time);
  return before === undefined ? [] : [{ lineage, after: before.stopTime, until: after?.stopTime }];
}
