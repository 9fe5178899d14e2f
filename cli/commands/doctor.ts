/** Prints the outcomes of all checks. */
import { styleText } from 'node:util';
import { examine, type Result } from '../doctor/examine.ts';
import { printLines } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';

const MARKS = { ok: 'ok', skipped: '-', problem: '!!' } as const;
const COLOURS = { ok: 'green', skipped: 'gray', problem: 'red' } as const;
const CHECK_WIDTH = 13;

/** Prints a line for each outcome, or an array of objects. Returns 1 if there is a problem. */
export async function printFindings(format: 'pretty' | 'json', options: ProjectOptions): Promise<number> {
  const results = await examine(options);
  const problems = results.filter(({ state }) => state === 'problem').length;
  if (format === 'json') printLines([JSON.stringify(results, null, 2)]);
  else printLines([...results.flatMap(linesOf), summaryOf(problems)]);
  return problems === 0 ? 0 : 1;
}

function linesOf(result: Result): string[] {
  const mark = styleText(COLOURS[result.state], MARKS[result.state].padEnd(2), { stream: process.stdout });
  const line = `${mark}  ${result.check.padEnd(CHECK_WIDTH)}  ${result.message}`;
  return result.state === 'problem' ? [line, `${' '.repeat(CHECK_WIDTH + 6)}→ ${result.remedy}`] : [line];
}

function summaryOf(problems: number): string {
  return problems === 0 ? 'no findings' : `${problems} finding${problems === 1 ? '' : 's'}`;
}
