/**
 * Recursive-descent parser for the pipeline of an action, such as `.Data.name | printf "%s"`.
 *
 *     pipeline = command { "|" command }
 *     command  = function { operand } | operand
 *     operand  = ( "." | "$" | ".field" | literal | function | "(" pipeline ")" ) { ".field" }
 */
import { FUNCTIONS } from './functions.ts';
import type { Token } from './lexer.ts';
import type { Expression } from './nodes.ts';
import { TemplateError } from './template-error.ts';

const MAX_DEPTH = 100;
const CONSTANTS: Record<string, boolean | null> = { true: true, false: false, nil: null };

/** Parses all tokens of an action. `line` is where the action begins. Throws {@link TemplateError}. */
export function parsePipeline(tokens: readonly Token[], line: number): Expression {
  return new PipelineParser(tokens, line).parse();
}

class PipelineParser {
  readonly #tokens: readonly Token[];
  readonly #line: number;
  /** Index of the next token. */
  #at = 0;

  constructor(tokens: readonly Token[], line: number) {
    this.#tokens = tokens;
    this.#line = line;
  }

  parse(): Expression {
    const value = this.#pipeline(0);
    if (this.#at < this.#tokens.length) throw this.#error('there is a ) without its (');
    return value;
  }

  #error(message: string): TemplateError {
    return new TemplateError(this.#line, message);
  }

  #pipeline(depth: number): Expression {
    if (depth > MAX_DEPTH) throw this.#error('there are too many parentheses');
    let result = this.#command(undefined, depth);
    while (this.#next?.kind === 'pipe') {
      this.#at += 1;
      result = this.#command(result, depth);
    }
    return result;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  /** @param piped the value before the `|`, which becomes the last argument */
  #command(piped: Expression | undefined, depth: number): Expression {
    const first = this.#next;
    if (first?.kind === 'word' && !Object.hasOwn(CONSTANTS, first.text)) {
      this.#at += 1;
      return this.#call(first.text, [...this.#operands(depth), ...(piped ? [piped] : [])]);
    }
    const [value, ...others] = this.#operands(depth);
    if (value === undefined) throw this.#error('a value is missing');
    if (others.length > 0 || piped) throw this.#error('only functions take arguments');
    return value;
  }

  #call(name: string, args: Expression[]): Expression {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known === undefined) throw this.#error(`${name} is not known here`);
    if (args.length < known.minArgs || args.length > known.maxArgs) {
      throw this.#error(`${name} does not take ${args.length} arguments`);
    }
    return { kind: 'call', name, args };
  }

  #operands(depth: number): Expression[] {
    const found: Expression[] = [];
    for (
      let token = this.#next;
      token && token.kind !== 'pipe' && token.kind !== 'close';
      token = this.#next
    ) {
      if (!token.hasSpaceBefore && found.length > 0) throw this.#error('a blank is missing');
      found.push(this.#fields(this.#operand(token, depth)));
    }
    return found;
  }

  #operand(token: Token, depth: number): Expression {
    this.#at += 1;
    switch (token.kind) {
      case 'dot':
        return { kind: 'dot' };
      case 'variable':
        if (this.#next?.kind !== 'word' || this.#next.hasSpaceBefore) return { kind: 'root' };
        throw this.#error('variables are not supported');
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
        // A function without arguments, for example as an argument of another function.
        return this.#call(token.text, []);
      default:
        return this.#parenthesis(depth);
    }
  }

  #parenthesis(depth: number): Expression {
    const value = this.#pipeline(depth + 1);
    if (this.#next?.kind !== 'close') throw this.#error('there is a ( without its )');
    this.#at += 1;
    return value;
  }

  /** Parses the fields that directly follow, such as `.Data.name`. */
  #fields(of: Expression): Expression {
    let value = of;
    for (let token = this.#next; token?.kind === 'field' && !token.hasSpaceBefore; token = this.#next) {
      value = { kind: 'field', of: value, name: token.text };
      this.#at += 1;
    }
    return value;
  }
}
