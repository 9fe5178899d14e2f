/** The standard input of a command. */
import { fstatSync } from 'node:fs';

/** Whether the standard input is a pipe or a file, and not a terminal or closed. */
export function isInputPiped(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isFile() || input.isSocket();
}
