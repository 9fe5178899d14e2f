/** `greenroom logs`: prints the log of an instance in the background. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readInstanceRecord } from '@greenroom/data-folder';
import { type LogEntry, parseLogLine, textOf } from '@greenroom/log';
import { logFileOf } from '../detach.ts';
import { type ProjectOptions, readConfig } from '../settings.ts';
import { eventOf } from './log-event.ts';
import { type Filters, readFilters } from './log-filters.ts';
import { type LogItem, logItems } from './log-lines.ts';

/** Exit code after Ctrl-C. */
const INTERRUPTED = 130;

/** Options of {@link printLogs}. */
interface Options extends Filters {
  format: 'text' | 'json' | 'stream-json';
  /** Maximum number of lines that exist already. */
  limit: number;
  /** Whether to print further lines. */
  follows: boolean;
}

/** Prints the lines that exist, and with `follows` further ones until Ctrl-C. Throws if the instance writes no log. */
export async function printLogs(options: Options, project: ProjectOptions): Promise<number> {
  const { format, follows } = options;
  const matches = readFilters(options, new Date());
  if (format === 'json' && follows)
    throw new Error('--output-format json prints a complete array. Use stream-json to follow the log.');
  const path = await requireLog(resolve((await readConfig(project)).dataDirectory));
  const stop = new AbortController();
  let code = 0;
  process.once('SIGTERM', () => stop.abort());
  process.once('SIGINT', () => {
    code = INTERRUPTED;
    stop.abort();
  });
  await print(logItems(path, { follows, signal: stop.signal }), { ...options, matches });
  return code;
}

/** Returns the path of the log of the last instance. The log of an earlier one is older than the last start. */
async function requireLog(dataFolder: string): Promise<string> {
  const path = logFileOf(dataFolder);
  const [file, record] = await Promise.all([
    stat(path).catch(() => undefined),
    readInstanceRecord(dataFolder),
  ]);
  const isOlder = record?.ready && file && file.mtimeMs < Date.parse(record.startedAt);
  if (file && !isOlder) return path;
  if (!record?.ready)
    throw new Error(`no instance was started in ${dataFolder} yet. Run "npx greenroom start" first.`);
  throw new Error(
    `the instance on ${dataFolder} was not started in the background. Its log is the output of its terminal or service ` +
      'manager. "greenroom start --detach" writes a log.',
  );
}

interface Printing extends Pick<Options, 'format' | 'limit'> {
  matches: (entry: LogEntry) => boolean;
}

/** Prints the last lines that exist, then each further line. */
async function print(items: AsyncIterable<LogItem>, { format, limit, matches }: Printing): Promise<void> {
  const history: LogEntry[] = [];
  let isCaughtUp = false;
  for await (const item of items) {
    if (item.kind === 'caught-up') {
      isCaughtUp = true;
      printHistory(history, format);
      continue;
    }
    const entry = parseLogLine(item.text);
    if (!matches(entry)) continue;
    if (isCaughtUp) process.stdout.write(lineOf(entry, 'live', format));
    else history.push(entry);
    if (history.length > limit) history.shift();
  }
  if (!isCaughtUp) printHistory(history, format);
}

function printHistory(entries: readonly LogEntry[], format: Options['format']): void {
  if (format === 'json') {
    const events = entries.map((entry) => eventOf(entry, 'history'));
    process.stdout.write(`${JSON.stringify(events, null, 2)}\n`);
  } else for (const entry of entries) process.stdout.write(lineOf(entry, 'history', format));
}

function lineOf(entry: LogEntry, source: 'history' | 'live', format: Options['format']): string {
  return `${format === 'stream-json' ? JSON.stringify(eventOf(entry, source)) : textOf(entry)}\n`;
}
