/** Rounds of content, for tests. */
import { Readable } from 'node:stream';
import type { Archive } from '../../archive/archive.ts';
import { createChunkWriter } from '../../archive/chunks/chunk-writer.ts';
import { listChunks } from '../../archive/chunks/list-chunks.ts';
import { putRound } from '../../archive/content/round.ts';
import { lineageOf, roundName, timeText } from '../../archive/layout.ts';
import type { LogLineage } from '../../wal/pieces.ts';
import type { ContentRow } from '../backup-content.ts';
import type { ContentEntry } from '../content-index.ts';
import { ContentStorer } from '../store-content.ts';

/** Content of a row. */
interface TestContent {
  row: ContentRow;
  bytes: Buffer;
}

/** Stores contents as one round; returns its name. */
export async function putTestRound(
  archive: Archive,
  lineage: LogLineage,
  { time, number, contents }: { time: Date; number: number; contents: readonly TestContent[] },
): Promise<string> {
  const writer = createChunkWriter(archive, await listChunks(archive.store));
  const storer = new ContentStorer(writer);
  const entries: ContentEntry[] = [];
  for (const { row, bytes } of contents)
    entries.push({ ...row, ...(await storer.store(Readable.from([bytes]))) });
  await storer.flush();
  await writer.finish();
  const name = roundName({ lineage: lineageOf(lineage), time: timeText(time), number });
  await putRound(archive, name, entries, writer.references());
  return name;
}
