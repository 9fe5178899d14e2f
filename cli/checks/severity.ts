/** How the commands that check a database print severities, and how findings fail them. */
import { styleText } from 'node:util';

/** Severities with their colours on a terminal, the most severe first. */
const COLOURS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;
const PLURALS = { error: 'errors', warning: 'warnings', info: 'infos' } as const;

export type Severity = keyof typeof COLOURS;

const SEVERITIES = Object.keys(COLOURS) as Severity[];
const LABEL_WIDTH = Math.max(...SEVERITIES.map(({ length }) => length));
/** Begins further lines of a finding, below the text after its label. */
export const INDENT = ' '.repeat(LABEL_WIDTH + 2);

/** Findings have the severity that fails the command. */
class FindingsError extends Error {
  override readonly name = 'FindingsError';
}

/** Returns a line with the severity and a text, whose control characters are visible: names in a database may have any. */
export function findingLine(severity: Severity, text: string): string {
  const label = styleText(COLOURS[severity], severity.padEnd(LABEL_WIDTH), { stream: process.stdout });
  return `${label}  ${printable(text)}`;
}

/** Returns the text in one line, with visible control characters. */
export function printable(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Returns whether a severity is at least as high as another one. */
export function isAtLeast(severity: Severity, minimum: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(minimum);
}

/** Sorts findings by their severity, the most severe first. */
export function bySeverity<Finding>(
  findings: readonly Finding[],
  severityOf: (finding: Finding) => Severity,
): Finding[] {
  return SEVERITIES.flatMap((severity) => findings.filter((finding) => severityOf(finding) === severity));
}

/** Returns the number of findings of each severity, e.g. `1 error, 2 warnings`. */
export function countsOf(severities: readonly Severity[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    count: severities.filter((other) => other === severity).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${count === 1 ? severity : PLURALS[severity]}`)
    .join(', ');
}

/** Throws if a severity is at least that of `--fail-on`. */
export function requireNone(severities: readonly Severity[], failOn: 'none' | Severity): void {
  if (failOn === 'none') return;
  const failing = severities.filter((severity) => isAtLeast(severity, failOn));
  if (failing.length > 0) throw new FindingsError(`found ${countsOf(failing)}, which --fail-on refuses.`);
}
