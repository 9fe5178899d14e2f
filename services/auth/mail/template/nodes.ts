/** The syntax tree of a template. */

/** An expression. A pipeline `a | f b` is the call of `f` with `b` and then `a`. */
export type Expression =
  | { kind: 'dot' }
  /** `$`: the data of the template. */
  | { kind: 'root' }
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'field'; of: Expression; name: string }
  | { kind: 'call'; name: string; args: Expression[] };

/** An expression whose value is written. */
export interface Output {
  kind: 'output';
  value: Expression;
  line: number;
}

/** An action with an `end`. An `else if` is a block in `otherwise`. */
export interface Block {
  kind: 'if' | 'with' | 'range';
  value: Expression;
  body: TemplateNode[];
  otherwise: TemplateNode[];
  line: number;
}

/** A node of a template. */
export type TemplateNode = { kind: 'text'; text: string; line: number } | Output | Block;
