/**
 * HTML templates with contextual escaping. The compiler determines the HTML context of every output, and thus how to
 * escape its values. It rejects outputs in contexts that cannot be escaped safely. The method is that of Go's
 * html/template: M. Samuel, P. Saxena, D. Song, "Context-sensitive auto-sanitization in web templating languages".
 */
import { escapeHtml, escapeUnquoted, escapeUrl } from './escape.ts';
import { renderTemplate } from './evaluate.ts';
import {
  beginValue,
  type HtmlContext,
  isEscapable,
  readHtml,
  type UrlPart,
  type ValueContext,
} from './html-context.ts';
import type { Block, Output, TemplateNode } from './nodes.ts';
import { parseTemplate } from './parser.ts';
import { TemplateError } from './template-error.ts';
import { textOf, type Value } from './values.ts';

/** Renders a compiled template. Throws {@link TemplateError} if the result is too long. */
export type CompiledTemplate = (root: Value) => string;

type Escaper = (value: Value) => string;

/** The checked form of a list of nodes, and the HTML context after it. */
interface Checked {
  nodes: TemplateNode[];
  context: HtmlContext;
}

/** Compiles a template. Throws {@link TemplateError}. */
export function compileHtml(source: string): CompiledTemplate {
  const escapers = new Map<Output, Escaper>();

  function checkList(list: readonly TemplateNode[], from: HtmlContext): Checked {
    let context = from;
    const nodes = list.map((node) => {
      const checked = withLine(node.line, () => check(node, context));
      context = checked.context;
      return checked.node;
    });
    return { nodes, context };
  }

  function check(node: TemplateNode, from: HtmlContext): { node: TemplateNode; context: HtmlContext } {
    if (node.kind === 'text') {
      const { text, context } = readHtml(from, node.text);
      return { node: { ...node, text }, context };
    }
    if (node.kind !== 'output') return checkBlock(node, from);
    const context = beginUnquotedValue(from);
    escapers.set(node, escaperAt(context));
    return { node, context: afterOutput(context) };
  }

  function checkBlock(block: Block, from: HtmlContext) {
    const body = checkList(block.body, from);
    const otherwise = checkList(block.otherwise, from);
    const context = mergeContexts(body.context, otherwise.context);
    // The second iteration of a loop starts in the context after the first one.
    if (block.kind === 'range' && key(mergeContexts(body.context, from)) !== key(from))
      throw new Error(BRANCH_MISMATCH);
    return { node: { ...block, body: body.nodes, otherwise: otherwise.nodes }, context };
  }

  const { nodes, context } = checkList(parseTemplate(source), { kind: 'text' });
  if (context.kind !== 'text') throw new TemplateError(1, 'a tag, a comment or an element does not end');
  return (root) =>
    renderTemplate(
      nodes,
      root,
      (output, value) => escapers.get(output)?.(value) ?? escapeHtml(textOf(value)),
    );
}

const BRANCH_MISMATCH = 'the branches of an action end in different places of the HTML';

function withLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError(line, (error as Error).message);
  }
}

/** An output directly after `=` is an unquoted value. */
function beginUnquotedValue(context: HtmlContext): HtmlContext {
  if (context.kind !== 'attribute' || !context.isEqual) return context;
  return { ...beginValue(context.element, context.name, ''), isClosing: context.isClosing };
}

function escaperAt(context: HtmlContext): Escaper {
  switch (context.kind) {
    case 'text':
      return (value) => escapeHtml(textOf(value));
    case 'comment':
      return () => '';
    case 'raw':
      if (isEscapable(context.closing)) return (value) => escapeHtml(textOf(value));
      throw new Error(`nothing can be written within <${context.closing}>`);
    case 'value':
      return valueEscaper(context);
    default:
      throw new Error('nothing can be written within a tag but values of attributes');
  }
}

function valueEscaper({ attribute, quote, part, hasContent, element }: ValueContext): Escaper {
  if (attribute === 'code') throw new Error('nothing can be written into styles and event handlers');
  if (attribute === 'other') throw new Error(`nothing can be written into this attribute of <${element}>`);
  if (attribute === 'url') requireClearPart(part);
  const text: Escaper = attribute === 'url' ? (value) => escapeUrl(value, part) : (value) => textOf(value);
  if (quote !== '') return (value) => escapeHtml(text(value));
  // An empty value would make the text after it the value.
  return (value) => escapeUnquoted(text(value)) || (hasContent ? '' : '&#32;');
}

function requireClearPart(part: UrlPart): void {
  if (part === 'unknown') throw new Error('it is not clear which part of a URL this is');
  if (part === 'forbidden') throw new Error('nothing can be written into such a URL');
}

function afterOutput(context: HtmlContext): HtmlContext {
  if (context.kind !== 'value') return context;
  const isStart = context.attribute === 'url' && context.part === 'start';
  return { ...context, hasContent: true, part: isStart ? 'undecided' : context.part };
}

/** The context after two branches. They must end in the same context, except for the part of a URL. */
function mergeContexts(one: HtmlContext, other: HtmlContext): HtmlContext {
  const [first, second] = one.kind === other.kind ? [one, other] : [afterName(one), afterName(other)];
  if (key(first) === key(second)) return first;
  if (first.kind === 'value' && second.kind === 'value') {
    const part = [first.part, second.part].includes('forbidden') ? 'forbidden' : 'unknown';
    if (key({ ...first, part }) === key({ ...second, part })) return { ...first, part };
  }
  // If a name ended in one of the branches, the next text must not continue it.
  if (first.kind === 'tag' && second.kind === 'tag') {
    const needsEnd = first.needsEnd || second.needsEnd;
    if (key({ ...first, needsEnd }) === key({ ...second, needsEnd })) return { ...first, needsEnd };
  }
  throw new Error(BRANCH_MISMATCH);
}

/** The context after an attribute's name without a value. */
function afterName(context: HtmlContext): HtmlContext {
  if (context.kind !== 'attribute' || context.isEqual) return context;
  const { element, isClosing } = context;
  return { kind: 'tag', element, isClosing, needsEnd: true };
}

function key(context: HtmlContext): string {
  return JSON.stringify(Object.entries(context).sort());
}
