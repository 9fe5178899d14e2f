/** The output of a server in the format of its log: lines for people, or JSON throughout. */
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { LOG_LEVELS, redact } from '@greenroom/log';

type Output = Pick<NodeJS.WriteStream, 'write'>;
type Level = (typeof LOG_LEVELS)[number];

/** Variable with the format. It applies from the first line on only in the environment of the process. */
const VARIABLE = 'GREENROOM_LOG_FORMAT';

/** Beginnings of lines → their levels. They are removed, because the level replaces them. */
const LEVELS: readonly (readonly [RegExp, Level])[] = [
  [/^error: /, 'error'],
  [/^warning: /, 'warn'],
  [/^\(node:\d+\) /, 'warn'],
];

let isJson = false;

/**
 * Writes all further lines of this process as JSON if the format is `json`: those of the start and the stop, warnings,
 * errors, and uncaught exceptions. Further calls do nothing.
 */
export function useLogFormat(source: Readonly<Record<string, string | undefined>>): void {
  if (source[VARIABLE] !== 'json' || isJson) return;
  isJson = true;
  for (const output of [process.stdout, process.stderr]) writeJsonLines(output);
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${JSON.stringify(entryOf(error.stack ?? String(error), 'fatal'))}\n`);
    process.exit(1);
  });
}

/** Replaces `write` of an output by a function that writes a line of JSON for each line of text. */
export function writeJsonLines(output: Output): void {
  const write = output.write.bind(output);
  const decoder = new StringDecoder();
  let partial = '';
  output.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    const received = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    const lines = (partial + received).split('\n');
    partial = lines.pop() ?? '';
    const text = lines.flatMap(jsonOf).join('');
    return write(text, ...rest);
  }) as Output['write'];
}

/** Returns a line with its end; nothing for an empty one. */
function jsonOf(line: string): string[] {
  const text = stripVTControlCharacters(line).trim();
  if (text === '') return [];
  if (isEntry(text)) return [`${text}\n`];
  const [prefix, level] = LEVELS.find(([pattern]) => pattern.test(text)) ?? [/^/, 'info'];
  return [`${JSON.stringify(entryOf(text.replace(prefix, ''), level))}\n`];
}

function entryOf(text: string, level: Level) {
  return { level: (LOG_LEVELS.indexOf(level) + 1) * 10, time: new Date().toISOString(), msg: redact(text) };
}

/** Whether a line comes from the logger. */
function isEntry(text: string): boolean {
  return text.startsWith('{"level":');
}
