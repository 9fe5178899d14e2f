/**
 * Tracks the HTML context at the end of a piece of text, like a browser's tokenizer (HTML, §13.2.5), as far as
 * templates need it. Rejects text that is ambiguous because an action interrupts it.
 */
import { isForbidden } from './schemes.ts';

/**
 * Part of a URL before an output: `start` is its beginning; `undecided` may still belong to the scheme; `path` follows
 * it; `query` follows `?` or `#`; `unknown` differs between branches; `forbidden` follows a scheme that allows no
 * outputs.
 */
export type UrlPart = 'start' | 'undecided' | 'path' | 'query' | 'unknown' | 'forbidden';

/** Kind of an attribute's value. `code` and `other` allow no outputs. */
type AttributeKind = 'text' | 'url' | 'code' | 'other';

/** Within an attribute's value; `quote` is empty for an unquoted one. */
export interface ValueContext {
  kind: 'value';
  element: string;
  attribute: AttributeKind;
  quote: '"' | "'" | '';
  part: UrlPart;
  /** Whether the value has content yet; true for all quoted values. */
  hasContent: boolean;
}

/** A context in HTML. */
export type HtmlContext =
  | { kind: 'text' | 'comment' | 'declaration' }
  /** Within an element whose content is not HTML; `closing` is its name. */
  | { kind: 'raw'; closing: string }
  /** Within a tag. `needsEnd`: a name ended with the last piece of text, and the next piece must not continue it. */
  | { kind: 'tag'; element: string; isClosing: boolean; needsEnd: boolean }
  | { kind: 'attribute'; element: string; isClosing: boolean; name: string; isEqual: boolean }
  | (ValueContext & { isClosing: boolean });

/** The context after a piece of text, and the text to write: comments that an action interrupts are removed. */
interface Reading {
  context: HtmlContext;
  text: string;
}

/** Elements whose content is text. Outputs in the first set can be escaped, outputs in the second cannot. */
const ESCAPABLE = new Set(['title', 'textarea']);
const RAW = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);
/** Elements whose attributes load or run something, or change the meaning of other elements. */
const ACTIVE = new Set(['script', 'style', 'base', 'iframe', 'frame', 'object', 'embed', 'meta', 'link']);
const URLS = new Set(
  'action archive background cite classid codebase data formaction href icon longdesc manifest ping poster profile src usemap'.split(
    ' ',
  ),
);
const OTHERS = new Set(['srcset', 'imagesrcset', 'srcdoc', 'content', 'http-equiv']);

/** White space in this file is HTML's, not that of `\s`, which matches more characters. */
const TEXT: HtmlContext = { kind: 'text' };

/** Whether outputs in the content of an element can be escaped as text. */
export function isEscapable(element: string): boolean {
  return ESCAPABLE.has(element);
}

/** Reads a piece of text, starting in a context. Throws an `Error` with the reason if it rejects the text. */
export function readHtml(from: HtmlContext, text: string): Reading {
  let context = from;
  let written = '';
  let at = 0;
  while (at < text.length) {
    const step = STEPS[context.kind](context as never, text.slice(at));
    if (step.length === 0 && step.context === context) throw new Error('the HTML is not understood');
    context = step.context;
    written += step.isDropped ? '' : text.slice(at, at + step.length);
    at += step.length;
  }
  return { context, text: written };
}

interface Step {
  context: HtmlContext;
  length: number;
  isDropped?: boolean;
}

const STEPS: { [P in HtmlContext['kind']]: (context: HtmlContext & { kind: P }, rest: string) => Step } = {
  text: readText,
  comment: readComment,
  declaration: (context, rest) => upTo(rest, '>', TEXT, context),
  raw: readRaw,
  tag: readTag,
  attribute: readAttribute,
  value: readValue,
};

function readText(context: HtmlContext, rest: string): Step {
  const start = rest.search(/<[a-z/!?]|<$/i);
  if (start < 0) return { context, length: rest.length };
  if (start > 0) return { context, length: start };
  if (/^<(\/|!-?)?$/.test(rest)) throw new Error('a < is cut off by an action');
  if (rest.startsWith('<!--')) {
    const comment = /^<!--(?:-?>|[\s\S]*?--!?>)/.exec(rest);
    if (comment) return { context, length: comment[0].length };
    return { context: { kind: 'comment' }, length: rest.length, isDropped: true };
  }
  const tag = /^<(?<slash>\/?)(?<name>[a-z][^\t\n\f\r />]*)/i.exec(rest)?.groups;
  if (tag === undefined) return { context: { kind: 'declaration' }, length: 2 };
  const element = (tag.name ?? '').toLowerCase();
  const length = 1 + (tag.slash ?? '').length + (tag.name ?? '').length;
  const needsEnd = length === rest.length;
  return { context: { kind: 'tag', element, isClosing: tag.slash !== '', needsEnd }, length };
}

/** Removes comments that an action interrupts, together with their outputs. */
function readComment(context: HtmlContext, rest: string): Step {
  const end = /--!?>/.exec(rest);
  if (end === null) return { context, length: rest.length, isDropped: true };
  return { context: TEXT, length: end.index + end[0].length, isDropped: true };
}

function readRaw(context: HtmlContext & { kind: 'raw' }, rest: string): Step {
  const end = new RegExp(`</${context.closing}(?=[\\t\\n\\f\\r />])`, 'i').exec(rest);
  if (end !== null && context.closing !== 'plaintext') {
    // Stops before the `<`. The next step reads the closing tag.
    if (end.index > 0) return { context, length: end.index };
    const tag = { kind: 'tag', element: context.closing, isClosing: true, needsEnd: false } as const;
    return { context: tag, length: end[0].length };
  }
  if (/<\/?[a-z]*$/i.test(rest)) throw new Error(`the end of <${context.closing}> is cut off by an action`);
  return { context, length: rest.length };
}

function readTag(context: HtmlContext & { kind: 'tag' }, rest: string): Step {
  const { element, isClosing, needsEnd } = context;
  if (needsEnd && !/^[\t\n\f\r />]/.test(rest)) throw new Error('the name of a tag goes on behind an action');
  if (rest.startsWith('>')) return { context: contentOf(element, isClosing), length: 1 };
  const blank = /^[\t\n\f\r /]+/.exec(rest)?.[0].length ?? 0;
  if (blank > 0) return { context: { ...context, needsEnd: false }, length: blank };
  // HTML reads a leading `=` as part of the name.
  const name = /^=?[^\t\n\f\r />=]*/.exec(rest)?.[0] ?? '';
  if (/["'<=]/.test(name)) throw new Error('a tag has a stray quote, < or =');
  const attribute = {
    kind: 'attribute',
    element,
    isClosing,
    name: name.toLowerCase(),
    isEqual: false,
  } as const;
  return { context: attribute, length: name.length };
}

function contentOf(element: string, isClosing: boolean): HtmlContext {
  const isRaw = ESCAPABLE.has(element) || RAW.has(element);
  return isRaw && !isClosing ? { kind: 'raw', closing: element } : TEXT;
}

/** Reads what follows an attribute's name: an equals sign, or the next part of the tag. */
function readAttribute(context: HtmlContext & { kind: 'attribute' }, rest: string): Step {
  const { element, isClosing, name, isEqual } = context;
  const blank = /^[\t\n\f\r ]+/.exec(rest)?.[0].length ?? 0;
  const tag = { kind: 'tag', element, isClosing, needsEnd: false } as const;
  if (blank === rest.length) return { context: isEqual ? context : tag, length: blank };
  const next = rest[blank] ?? '';
  if (!isEqual) {
    if (next === '=') return { context: { ...context, isEqual: true }, length: blank + 1 };
    if (blank === 0 && !/[/>]/.test(next))
      throw new Error('the name of an attribute goes on behind an action');
    return { context: tag, length: blank };
  }
  if (next === '>') return { context: tag, length: blank };
  const quote = next === '"' || next === "'" ? next : '';
  const value = beginValue(element, name, quote);
  return { context: { ...value, isClosing }, length: blank + quote.length };
}

/** The context at the beginning of an attribute's value. */
export function beginValue(element: string, name: string, quote: '"' | "'" | ''): ValueContext {
  const attribute = kindOf(element, name);
  return { kind: 'value', element, attribute, quote, part: 'start', hasContent: quote !== '' };
}

/**
 * Classifies attributes like html/template: it ignores prefixes, and an attribute whose name contains `src`, `uri` or
 * `url` has a URL.
 */
function kindOf(element: string, name: string): AttributeKind {
  if (ACTIVE.has(element)) return 'other';
  const [prefix = '', rest] = name.includes(':') ? name.split(/:(.*)/s) : ['', name];
  if (prefix === 'xmlns') return 'url';
  const plain = (rest ?? '').replace(/^data-/, '');
  if (/^on/.test(plain) || plain === 'style') return 'code';
  if (OTHERS.has(plain)) return 'other';
  return URLS.has(plain) || /src|uri|url/.test(plain) ? 'url' : 'text';
}

function readValue(context: ValueContext & { isClosing: boolean }, rest: string): Step {
  const { element, isClosing, quote } = context;
  const end = quote === '' ? rest.search(/[\t\n\f\r >]/) : rest.indexOf(quote);
  const length = end < 0 ? rest.length : end;
  const value = rest.slice(0, length);
  if (quote === '' && /["'<=`]/.test(value))
    throw new Error('a value without quotes has a stray quote, <, = or `');
  if (end < 0) return { context: followValue(context, value), length };
  const needsEnd = quote !== '' && end + 1 === rest.length;
  return { context: { kind: 'tag', element, isClosing, needsEnd }, length: end + quote.length };
}

/** Reads static text in a value. Throws if the text would turn a previous output into a scheme. */
function followValue<C extends ValueContext>(context: C, value: string): C {
  if (context.attribute !== 'url') return { ...context, hasContent: context.hasContent || value !== '' };
  return { ...context, hasContent: true, part: partAfter(context.part, value) };
}

function partAfter(part: UrlPart, value: string): UrlPart {
  const [, scheme] = /^([^/?#:]*):/.exec(value) ?? [];
  if (part === 'forbidden' || (part === 'start' && isForbidden(scheme ?? ''))) return 'forbidden';
  if (/[?#]/.test(value)) return 'query';
  if (part === 'query' || part === 'path' || part === 'unknown' || value.trim() === '') return part;
  if (part === 'undecided' && scheme !== undefined) throw new Error('the scheme of a URL is not written out');
  return /[:/]/.test(value) ? 'path' : 'undecided';
}

function upTo(rest: string, mark: string, then: HtmlContext, context: HtmlContext): Step {
  const end = rest.indexOf(mark);
  return end < 0 ? { context, length: rest.length } : { context: then, length: end + mark.length };
}
