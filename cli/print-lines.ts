import { printable } from '@greenroom/log/printable';

/** Characters of texts with several lines, e.g. of JSON. */
const OF_LINES = '\n\t';

/** Prints lines on the standard output. Their control characters are visible, because they may have text of others. */
export function printLines(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${printable(line, OF_LINES)}\n`);
}

/** Prints lines on the standard error, as {@link printLines}. */
export function printMessages(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${printable(line, OF_LINES)}\n`);
}

/** Prints lines with styles on the standard output. The caller has made text of others printable. */
export function printStyledLines(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
