/** Arguments of psql's commands (PostgreSQL documentation, "psql", "Meta-Commands"). */
import { referenceAt, type Variables } from './variables.ts';

const SPACE = /\s+/y;
const SINGLE_QUOTED = /'((?:[^'\\]|\\.|'')*)'/y;
const DOUBLE_QUOTED = /"[^"]*"/y;
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))|''/g;
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** An argument. */
export interface CommandArgument {
  value: string;
  /** Whether a part of it stood in quotes, so that it is no option. */
  isQuoted: boolean;
}

/**
 * Splits the text of arguments at spaces outside of quotes, and inserts the values of variables. Double quotes stay part of
 * the value. Throws an error for a command of the shell in backquotes.
 */
export function argumentsOf(text: string, variables: Variables): CommandArgument[] {
  const found: CommandArgument[] = [];
  let current: CommandArgument | undefined;
  for (let offset = 0; offset < text.length; ) {
    const space = matchAt(SPACE, text, offset);
    if (space !== undefined) {
      if (current) found.push(current);
      current = undefined;
      offset += space[0].length;
      continue;
    }
    const part = partAt(text, offset, variables);
    current = {
      value: (current?.value ?? '') + part.value,
      isQuoted: part.isQuoted || (current?.isQuoted ?? false),
    };
    offset += part.length;
  }
  if (current) found.push(current);
  return found;
}

function partAt(text: string, offset: number, variables: Variables): CommandArgument & { length: number } {
  if (text[offset] === '`') throw new Error('commands of the shell in backquotes are not run');
  const single = matchAt(SINGLE_QUOTED, text, offset);
  if (single) return { value: unescaped(single[1] ?? ''), isQuoted: true, length: single[0].length };
  const double = matchAt(DOUBLE_QUOTED, text, offset);
  if (double) return { value: double[0], isQuoted: true, length: double[0].length };
  const reference = referenceAt(text, offset, variables);
  if (reference) return { ...reference, isQuoted: true };
  return { value: text[offset] ?? '', isQuoted: false, length: 1 };
}

function matchAt(sticky: RegExp, text: string, offset: number): RegExpExecArray | undefined {
  sticky.lastIndex = offset;
  return sticky.exec(text) ?? undefined;
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, octal?: string, hexadecimal?: string, character?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
    return character === undefined ? "'" : (ESCAPED[character] ?? character);
  });
}
