/** Records a sample every ten seconds, and stores the history every minute. */
import type { RequestWindow } from '@greenroom/http';
import type { Logger } from '@greenroom/log';
import { addSample, EMPTY_HISTORY, type HistoryState, RANGES, type Range, samplesOf } from './history.ts';
import { readHistory, writeHistory } from './history-file.ts';
import { createReader, type ReadingSources } from './readings.ts';
import { createSample, type Sample } from './sample.ts';

const SAVE_MS = 60_000;

/** Sources of {@link createRecorder}. */
interface RecorderSources extends ReadingSources {
  /** Path of the file. */
  path: string;
  window: RequestWindow;
  log: Pick<Logger, 'warn'>;
  /** Interval of samples. Default: ten seconds. */
  intervalMs?: number;
}

/** Records the history. */
export interface HistoryRecorder {
  /** Reads the history of earlier runs, and begins to record. */
  start(): void;
  /** Returns the samples of a range, oldest first. */
  samples(range: Range): readonly Sample[];
  /** Stores the history. */
  close(): Promise<void>;
}

/** Creates a recorder, which begins at its start. */
export function createRecorder(sources: RecorderSources): HistoryRecorder {
  const { path, window, log, intervalMs = RANGES.hour.interval * 1000 } = sources;
  const read = createReader(sources);
  let history: HistoryState = EMPTY_HISTORY;
  let starting: Promise<void> | undefined;
  let recording: Promise<void> | undefined;
  let savedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  async function begin(): Promise<void> {
    history = await readHistory(path, (reason) =>
      log.warn({ path, reason }, 'the history of the instance cannot be read and begins again'),
    );
    timer = setInterval(() => {
      // A sample that waits for the database takes the place of the next one.
      recording ??= record().finally(() => {
        recording = undefined;
      });
    }, intervalMs).unref();
  }

  async function record(): Promise<void> {
    const time = Math.floor(Date.now() / intervalMs) * (intervalMs / 1000);
    const readings = await read();
    history = addSample(history, createSample({ time, ...readings }, window.take()));
    if (performance.now() - savedAt >= SAVE_MS) await save();
  }

  async function save(): Promise<void> {
    savedAt = performance.now();
    await writeHistory(path, history).catch((error: Error) =>
      log.warn({ reason: error.message }, 'the history of the instance cannot be stored'),
    );
  }

  return {
    start() {
      starting = begin();
    },
    samples: (range) => samplesOf(history, range, Date.now() / 1000),
    async close() {
      await starting;
      clearInterval(timer);
      await recording;
      if (starting) await save();
    },
  };
}
