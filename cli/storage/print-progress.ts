import { printable } from '@greenroom/log/printable';

/** Prints a line about the progress on the standard error. */
export function printProgress(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
