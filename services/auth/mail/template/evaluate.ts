/** Renders templates by walking their tree, as Go's text/template does. */
import { FUNCTIONS, memberOf } from './functions.ts';
import type { Block, Expression, Output, TemplateNode } from './nodes.ts';
import { TemplateError } from './template-error.ts';
import { isTrue, TrustedUrl, type Value } from './values.ts';

/** Limits against nested loops that grow too large for a mail. */
const MAX_STEPS = 50_000;
const MAX_LENGTH = 2_000_000;

/** Converts an output's value to text. */
type Writer = (output: Output, value: Value) => string;

/** Renders a template. Throws {@link TemplateError} if the result is too long. */
export function renderTemplate(nodes: readonly TemplateNode[], root: Value, write: Writer): string {
  let steps = 0;
  let length = 0;
  const parts: string[] = [];

  function walk(list: readonly TemplateNode[], dot: Value): void {
    for (const node of list) {
      const part = partOf(node, dot);
      count(part.length, node.line);
      parts.push(part);
    }
  }

  function count(added: number, line: number): void {
    steps += 1;
    length += added;
    if (steps > MAX_STEPS || length > MAX_LENGTH) throw new TemplateError(line, 'the text grows too long');
  }

  function partOf(node: TemplateNode, dot: Value): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'output') return write(node, resultOf(node.value, dot));
    walkBlock(node, dot);
    return '';
  }

  function walkBlock({ kind, value, body, otherwise, line }: Block, dot: Value): void {
    const found = resultOf(value, dot);
    const items = kind === 'range' ? itemsOf(found) : isTrue(found) ? [kind === 'with' ? found : dot] : [];
    if (items.length === 0) walk(otherwise, dot);
    for (const item of items) {
      count(0, line);
      walk(body, item);
    }
  }

  function resultOf(expression: Expression, dot: Value): Value {
    switch (expression.kind) {
      case 'dot':
        return dot;
      case 'root':
        return root;
      case 'literal':
        return expression.value;
      case 'field':
        return memberOf(resultOf(expression.of, dot), expression.name);
      case 'call':
        return FUNCTIONS[expression.name]?.call(expression.args.map((arg) => resultOf(arg, dot)));
    }
  }

  walk(nodes, root);
  return parts.join('');
}

/** Returns the items of a list, or of a map in the order of its keys, as in Go. */
function itemsOf(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || value instanceof TrustedUrl) return [];
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, item]) => item);
}
