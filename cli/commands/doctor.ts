/** Prints the outcomes of all checks. */
import { styleText } from 'node:util';
import { printable } from '@greenroom/log/printable';
import { examine, type Result } from '../doctor/examine.ts';
import { printLines, printStyledLines } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';

const MARKS = { ok: 'ok', skipped: '-', warning: '!', problem: '!!' } as const;
const COLOURS = { ok: 'green', skipped: 'gray', warning: 'yellow', problem: 'red' } as const;
const CHECK_WIDTH = 13;

/** Options of {@link printFindings}. */
interface FindingsOptions {
  format: 'pretty' | 'json';
  /** Whether to run the checks for production, too. */
  isProduction: boolean;
}

/** Prints a line for each outcome, or an array of objects. Returns 1 if there is a problem. */
export async function printFindings(
  { format, isProduction }: FindingsOptions,
  options: ProjectOptions,
): Promise<number> {
  const results = await examine(options, isProduction);
  const count = (wanted: Result['state']) => results.filter(({ state }) => state === wanted).length;
  const problems = count('problem');
  if (format === 'json') printLines([JSON.stringify(results, null, 2)]);
  else printStyledLines([...results.flatMap(linesOf), summaryOf(problems, count('warning'))]);
  return problems === 0 ? 0 : 1;
}

function linesOf(result: Result): string[] {
  const mark = styleText(COLOURS[result.state], MARKS[result.state].padEnd(2), { stream: process.stdout });
  const line = `${mark}  ${result.check.padEnd(CHECK_WIDTH)}  ${printable(result.message)}`;
  return 'remedy' in result ? [line, `${' '.repeat(CHECK_WIDTH + 6)}→ ${printable(result.remedy)}`] : [line];
}

function summaryOf(problems: number, warnings: number): string {
  const found = problems === 0 ? 'no findings' : counted(problems, 'finding');
  return warnings === 0 ? found : `${found}, ${counted(warnings, 'warning')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
