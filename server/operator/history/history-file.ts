/** The history in a file of the data folder. */
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '@greenroom/data-folder';
import { z } from 'zod';
import { EMPTY_HISTORY, type HistoryState } from './history.ts';

/** A file of another version is not read. */
const VERSION = 1;

const count = z.number().nonnegative();
const reading = count.nullable();
const sample = z.object({
  time: count,
  requests: count,
  clientErrors: count,
  serverErrors: count,
  services: z.record(z.string(), z.tuple([count, count])),
  p50: reading,
  p95: reading,
  p99: reading,
  events: reading,
  cpu: reading,
  memoryBytes: reading,
  databaseConnections: reading,
  databaseBytes: reading,
  fileBytes: reading,
  sockets: reading,
});
const samples = z.array(sample);
const openSamples = z.array(sample.extend({ latencies: z.record(z.string(), count) }));
const content = z.object({
  version: z.literal(VERSION),
  samples: z.object({ hour: samples, day: samples, week: samples }),
  open: z.object({ day: openSamples, week: openSamples }),
});

/**
 * Reads the file. A missing one is an empty history.
 * @param onInvalid reports a file that cannot be used; the history then begins again
 */
export async function readHistory(path: string, onInvalid: (reason: string) => void): Promise<HistoryState> {
  try {
    return content.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') onInvalid(message);
    return EMPTY_HISTORY;
  }
}

/** Writes the file; after a crash it has either the old content or the new content. */
export async function writeHistory(path: string, history: HistoryState): Promise<void> {
  await writeFileAtomically(path, JSON.stringify({ version: VERSION, ...history }));
}
