/** The table of results in docs/trials.md. */

/** The result of a trial, and the commit under test. */
export interface Entry {
  trial: string;
  shows: string;
  passed: boolean;
  result: string;
  /** Abbreviated id of the tested commit, followed by ` + changes` if files differed from it. */
  commit: string;
  /** E.g. `2026-11-25`, in UTC. */
  date: string;
  seconds: number;
}

const ROW = /^\| `([^`]+)` \|/;
const RULE = /^\|---/;

/** Returns the trials that have a row, in the order of the page. */
export function recordedTrials(page: string): string[] {
  return page.split('\n').flatMap((line) => ROW.exec(line)?.[1] ?? []);
}

/**
 * Writes an entry into the page: replaces the trial's earlier row, or adds a last row to the table.
 * @throws Error if the page has no table
 */
export function recordEntry(page: string, entry: Entry): string {
  const lines = page.split('\n');
  const row = rowOf(entry);
  const own = lines.findIndex((line) => ROW.exec(line)?.[1] === entry.trial);
  if (own >= 0) return lines.with(own, row).join('\n');
  const last = lines.findLastIndex((line) => ROW.test(line) || RULE.test(line));
  if (last < 0) throw new Error('the page has no table of results');
  return lines.toSpliced(last + 1, 0, row).join('\n');
}

function rowOf({ trial, shows, passed, result, commit, date, seconds }: Entry): string {
  const cells = [
    `\`${trial}\``,
    shows,
    cellOf(passed ? result : `**Failed**: ${result}`),
    commit,
    date,
    `${Math.max(1, Math.round(seconds / 60))} min`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Escapes vertical bars, which end a cell. */
function cellOf(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
