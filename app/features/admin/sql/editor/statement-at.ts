/** Finds the statement that a command of the editor runs. */
import { splitStatements } from '@greenroom/project/sql/split';

/** A part of the text. */
export interface TextRange {
  from: number;
  to: number;
}

/**
 * Returns the statement at the cursor: the one around it, or else the last one before it, or else the first one. Undefined if
 * the text has no statement. A text that cannot be split, for example because a quote is open, is one statement.
 */
export function statementAt(text: string, cursor: number): TextRange | undefined {
  const ranges = statementRanges(text);
  const before = ranges.filter(({ from }) => from <= cursor);
  return before.at(-1) ?? ranges[0];
}

/** Returns the places of all statements, without comments in front of them. */
function statementRanges(text: string): TextRange[] {
  try {
    return splitStatements(text)
      .filter((statement) => statement.codeOffset < statement.text.length)
      .map(({ text: statement, offset, codeOffset }) => ({
        from: offset + codeOffset,
        to: offset + statement.length,
      }));
  } catch {
    return text.trim() === '' ? [] : [trimmed(text)];
  }
}

function trimmed(text: string): TextRange {
  return { from: text.length - text.trimStart().length, to: text.trimEnd().length };
}
