/** Makes a tree of a template's pieces. The part of Go's syntax that is known here is in docs/reference/messages.md. */
import { FUNCTIONS } from './functions.ts';
import { cutTemplate, type Piece, type Token } from './lexer.ts';
import type { Block, Expression, TemplateNode } from './nodes.ts';
import { TemplateError } from './template-error.ts';

const MAX_DEPTH = 100;
const BLOCKS = ['if', 'with', 'range'] as const;
const CONSTANTS: Record<string, boolean | null> = { true: true, false: false, nil: null };

/** Parses a template. Throws {@link TemplateError}. */
export function parseTemplate(source: string): TemplateNode[] {
  const pieces = cutTemplate(source);
  let at = 0;

  /** Up to `else` or `end` of the block around, which is not taken. */
  function parseList(depth: number): TemplateNode[] {
    const nodes: TemplateNode[] = [];
    for (let piece = pieces[at]; piece !== undefined; piece = pieces[at]) {
      if (isWord(piece, 'else') || isWord(piece, 'end')) break;
      at += 1;
      nodes.push(piece.kind === 'text' ? piece : parseAction(piece, depth));
    }
    return nodes;
  }

  function parseAction({ tokens, line }: Piece & { kind: 'action' }, depth: number): TemplateNode {
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

  /** What stands between the body of a block and its end. */
  function parseRest(kind: Block['kind'], line: number, depth: number): TemplateNode[] {
    const piece = pieces[at];
    if (piece?.kind !== 'action') throw new TemplateError(line, `{{ ${kind} }} has no {{ end }}`);
    at += 1;
    const [word, next, ...condition] = piece.tokens;
    if (word?.text === 'end') {
      if (next) throw new TemplateError(piece.line, 'nothing may stand behind end');
      return [];
    }
    if (next === undefined) return parseLast(kind, line, depth);
    if (kind === 'range' || next.text !== kind) {
      throw new TemplateError(piece.line, `{{ else ${next.text} }} does not belong to {{ ${kind} }}`);
    }
    return [parseBlock(kind, condition, piece.line, depth + 1)];
  }

  function parseLast(kind: string, line: number, depth: number): TemplateNode[] {
    const nodes = parseList(depth + 1);
    const piece = pieces[at];
    at += 1;
    if (piece !== undefined && isWord(piece, 'end') && piece.tokens.length === 1) return nodes;
    throw new TemplateError(piece?.line ?? line, `{{ ${kind} }} has no {{ end }} behind its {{ else }}`);
  }

  const nodes = parseList(0);
  const left = pieces[at];
  if (left === undefined) return nodes;
  throw new TemplateError(left.line, 'there is an {{ else }} or {{ end }} that belongs to nothing');
}

function isWord(piece: Piece, word: string): piece is Piece & { kind: 'action' } {
  return piece.kind === 'action' && piece.tokens[0]?.kind === 'word' && piece.tokens[0].text === word;
}

/** Parses what stands in an action, all of it. */
function parsePipeline(tokens: Token[], line: number): Expression {
  let at = 0;
  const value = pipeline(0);
  if (at < tokens.length) throw new TemplateError(line, 'there is a ) without its (');
  return value;

  function pipeline(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new TemplateError(line, 'there are too many parentheses');
    let result = command(undefined, depth);
    while (tokens[at]?.kind === 'pipe') {
      at += 1;
      result = command(result, depth);
    }
    return result;
  }

  /** @param piped what stood before the `|` */
  function command(piped: Expression | undefined, depth: number): Expression {
    const first = tokens[at];
    if (first?.kind === 'word' && !Object.hasOwn(CONSTANTS, first.text)) {
      at += 1;
      return call(first.text, [...operands(depth), ...(piped ? [piped] : [])]);
    }
    const [value, ...others] = operands(depth);
    if (value === undefined) throw new TemplateError(line, 'a value is missing');
    if (others.length > 0 || piped) throw new TemplateError(line, 'only functions take arguments');
    return value;
  }

  function call(name: string, args: Expression[]): Expression {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known === undefined) throw new TemplateError(line, `${name} is not known here`);
    if (args.length < known.least || args.length > known.most) {
      throw new TemplateError(line, `${name} does not take ${args.length} arguments`);
    }
    return { kind: 'call', name, args };
  }

  function operands(depth: number): Expression[] {
    const found: Expression[] = [];
    for (
      let token = tokens[at];
      token && token.kind !== 'pipe' && token.kind !== 'close';
      token = tokens[at]
    ) {
      if (!token.isApart && found.length > 0) throw new TemplateError(line, 'a blank is missing');
      found.push(fields(operand(token, depth)));
    }
    return found;
  }

  function operand(token: Token, depth: number): Expression {
    at += 1;
    switch (token.kind) {
      case 'dot':
        return { kind: 'dot' };
      case 'variable':
        if (tokens[at]?.kind !== 'word' || tokens[at]?.isApart) return { kind: 'root' };
        throw new TemplateError(line, 'variables are not supported');
      case 'field':
        return { kind: 'field', of: { kind: 'dot' }, name: token.text };
      case 'string':
        return { kind: 'literal', value: token.text };
      case 'number':
        return { kind: 'literal', value: Number(token.text) };
      case 'word':
        if (Object.hasOwn(CONSTANTS, token.text)) {
          return { kind: 'literal', value: CONSTANTS[token.text] ?? null };
        }
        // A function without arguments, e.g. an argument of another one.
        return call(token.text, []);
      default:
        return parenthesis(depth);
    }
  }

  function parenthesis(depth: number): Expression {
    const value = pipeline(depth + 1);
    if (tokens[at]?.kind !== 'close') throw new TemplateError(line, 'there is a ( without its )');
    at += 1;
    return value;
  }

  /** `.Data.name`: fields that follow at once. */
  function fields(of: Expression): Expression {
    let value = of;
    for (let token = tokens[at]; token?.kind === 'field' && !token.isApart; token = tokens[at]) {
      value = { kind: 'field', of: value, name: token.text };
      at += 1;
    }
    return value;
  }
}
