/**
 * Splits a template into text and actions, and actions into tokens, like Go's text/template
 * (https://pkg.go.dev/text/template). Supports `{{ … }}`, the trim markers `{{- ` and ` -}}`, which remove adjacent
 * white space, and comments.
 */
import { TemplateError } from './template-error.ts';

/** A token of an action. `field` is without its dot; `variable` is `$`. */
export interface Token {
  kind: 'field' | 'word' | 'string' | 'number' | 'dot' | 'variable' | 'pipe' | 'open' | 'close';
  /** For a string: its value after unescaping. */
  text: string;
  /** Whether white space precedes the token. */
  hasSpaceBefore: boolean;
}

/** A token of a template. `line` is its first line, counted from 1. */
export type TemplateToken =
  | { kind: 'text'; text: string; line: number }
  | { kind: 'action'; tokens: Token[]; line: number };

/** An action with optional trim markers and a comment or a pipeline. Strings may contain braces. */
const ACTION =
  /\{\{(?<left>-(?=\s))?(?<body>(?:\s*\/\*(?:(?!\*\/)[\s\S])*\*\/\s*?)|(?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|(?!-?\}\})[^"`])*?)(?<right>(?<=\s)-)?\}\}/y;
const COMMENT = /^\s*\/\*(?:(?!\*\/)[\s\S])*\*\/\s*$/;
const TOKEN =
  /(?<space>\s+)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<raw>`[^`]*`)|(?<number>[+-]?\d+(?:\.\d+)?(?![\w.]))|\.(?<field>[\p{L}_][\p{L}\p{Nd}_]*)|(?<dot>\.)|(?<variable>\$)|(?<word>[\p{L}_][\p{L}\p{Nd}_]*)|(?<pipe>\|)|(?<open>\()|(?<close>\))/uy;

/** Splits a template. Throws {@link TemplateError}. */
export function lexTemplate(source: string): TemplateToken[] {
  const tokens: TemplateToken[] = [];
  let at = 0;
  let line = 1;
  let trimsNext = false;
  const addText = (raw: string, trimsEnd: boolean) => {
    const begun = trimsNext ? raw.trimStart() : raw;
    const text = trimsEnd ? begun.trimEnd() : begun;
    const last = tokens.at(-1);
    // Joins the text before and after a comment, so that the HTML checks see both together.
    if (last?.kind === 'text') last.text += text;
    else if (text !== '') tokens.push({ kind: 'text', text, line });
    line += countLines(raw);
  };
  for (;;) {
    const start = source.indexOf('{{', at);
    if (start < 0) break;
    ACTION.lastIndex = start;
    const found = ACTION.exec(source);
    const { left, body = '', right } = found?.groups ?? {};
    addText(source.slice(at, start), left !== undefined);
    if (found === null) throw new TemplateError(line, 'an action that begins with {{ does not end');
    if (!COMMENT.test(body)) tokens.push({ kind: 'action', tokens: lexAction(body, line), line });
    line += countLines(found[0]);
    trimsNext = right !== undefined;
    at = start + found[0].length;
  }
  addText(source.slice(at), false);
  return tokens;
}

function lexAction(body: string, line: number): Token[] {
  const tokens: Token[] = [];
  let hasSpaceBefore = true;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const from = TOKEN.lastIndex;
    const groups = TOKEN.exec(body)?.groups;
    if (groups === undefined) {
      throw new TemplateError(line, `${JSON.stringify(body.slice(from, from + 20))} is not understood`);
    }
    const { space, string, raw, ...rest } = groups;
    if (space !== undefined) {
      hasSpaceBefore = true;
      continue;
    }
    if (string !== undefined)
      tokens.push({ kind: 'string', text: unescapeString(string, line), hasSpaceBefore });
    else if (raw !== undefined) tokens.push({ kind: 'string', text: raw.slice(1, -1), hasSpaceBefore });
    else {
      const [kind, text] = Object.entries(rest).find(([, value]) => value !== undefined) ?? [];
      tokens.push({ kind: kind as Token['kind'], text: text ?? '', hasSpaceBefore });
    }
    hasSpaceBefore = false;
  }
  return tokens;
}

/** Supports Go's escapes that are also valid in JSON. */
function unescapeString(quoted: string, line: number): string {
  try {
    return JSON.parse(quoted.replaceAll('\t', '\\t')) as string;
  } catch {
    throw new TemplateError(line, `the string ${quoted} has an escape that is not supported`);
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
