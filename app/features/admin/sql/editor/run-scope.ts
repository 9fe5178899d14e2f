/** The part of the text that a command of the editor runs. */
import type { RunScope } from '../run/run-form.ts';
import { statementAt, type TextRange } from './statement-at.ts';

/** Returns the part; undefined if there is nothing to run. */
export function rangeOf(scope: RunScope, text: string, { from, to }: TextRange): TextRange | undefined {
  if (scope !== 'all' && from < to) return { from, to };
  if (scope === 'all') return text.trim() === '' ? undefined : { from: 0, to: text.length };
  return statementAt(text, from);
}
