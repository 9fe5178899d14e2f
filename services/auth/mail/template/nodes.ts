/** What a template consists of, after it was parsed. */

/** What gives a value. A pipeline `a | f b` is the call of `f` with `b` and then `a`. */
export type Expression =
  | { kind: 'dot' }
  /** `$`: what the template was given. */
  | { kind: 'root' }
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'field'; of: Expression; name: string }
  | { kind: 'call'; name: string; args: Expression[] };

/** A value to be written. */
export interface Output {
  kind: 'output';
  value: Expression;
  line: number;
}

/** An action with an end. `else if` is one in `otherwise`. */
export interface Block {
  kind: 'if' | 'with' | 'range';
  value: Expression;
  body: TemplateNode[];
  otherwise: TemplateNode[];
  line: number;
}

/** A piece of a template. */
export type TemplateNode = { kind: 'text'; text: string; line: number } | Output | Block;
