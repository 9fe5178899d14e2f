/** Parses a template into a syntax tree. docs/reference/messages.md describes the supported part of Go's syntax. */
import { lexTemplate, type TemplateToken, type Token } from './lexer.ts';
import type { Block, TemplateNode } from './nodes.ts';
import { parsePipeline } from './pipeline-parser.ts';
import { TemplateError } from './template-error.ts';

const MAX_DEPTH = 100;
const BLOCKS = ['if', 'with', 'range'] as const;

/** Parses a template. Throws {@link TemplateError}. */
export function parseTemplate(source: string): TemplateNode[] {
  const tokens = lexTemplate(source);
  let at = 0;

  /** Stops before the `else` or `end` of the enclosing block. */
  function parseList(depth: number): TemplateNode[] {
    const nodes: TemplateNode[] = [];
    for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
      if (isWord(token, 'else') || isWord(token, 'end')) break;
      at += 1;
      nodes.push(token.kind === 'text' ? token : parseAction(token, depth));
    }
    return nodes;
  }

  function parseAction({ tokens, line }: TemplateToken & { kind: 'action' }, depth: number): TemplateNode {
    const [first, ...rest] = tokens;
    const kind = BLOCKS.find((block) => first?.kind === 'word' && first.text === block);
    if (kind === undefined) return { kind: 'output', value: parsePipeline(tokens, line), line };
    return parseBlock(kind, rest, line, depth);
  }

  function parseBlock(kind: Block['kind'], condition: Token[], line: number, depth: number): Block {
    if (depth > MAX_DEPTH) throw new TemplateError(line, 'there are too many actions within each other');
    const value = parsePipeline(condition, line);
    const body = parseList(depth + 1);
    return { kind, value, body, otherwise: parseRest(kind, line, depth), line };
  }

  /** Parses the `else` branch and the `end` of a block. */
  function parseRest(kind: Block['kind'], line: number, depth: number): TemplateNode[] {
    const token = tokens[at];
    if (token?.kind !== 'action') throw new TemplateError(line, `{{ ${kind} }} has no {{ end }}`);
    at += 1;
    const [word, next, ...condition] = token.tokens;
    if (word?.text === 'end') {
      if (next) throw new TemplateError(token.line, 'nothing may stand behind end');
      return [];
    }
    if (next === undefined) return parseLast(kind, line, depth);
    if (kind === 'range' || next.text !== kind) {
      throw new TemplateError(token.line, `{{ else ${next.text} }} does not belong to {{ ${kind} }}`);
    }
    return [parseBlock(kind, condition, token.line, depth + 1)];
  }

  function parseLast(kind: string, line: number, depth: number): TemplateNode[] {
    const nodes = parseList(depth + 1);
    const token = tokens[at];
    at += 1;
    if (token !== undefined && isWord(token, 'end') && token.tokens.length === 1) return nodes;
    throw new TemplateError(token?.line ?? line, `{{ ${kind} }} has no {{ end }} behind its {{ else }}`);
  }

  const nodes = parseList(0);
  const left = tokens[at];
  if (left === undefined) return nodes;
  throw new TemplateError(left.line, 'there is an {{ else }} or {{ end }} that belongs to nothing');
}

function isWord(token: TemplateToken, word: string): token is TemplateToken & { kind: 'action' } {
  return token.kind === 'action' && token.tokens[0]?.kind === 'word' && token.tokens[0].text === word;
}
