/** The template functions: those of Go's text/template that are useful in a mail. */
import { isTrue, textOf, type Value } from './values.ts';

/** A function and the number of its arguments. An argument of the wrong type yields an empty result, not an error. */
interface TemplateFunction {
  minArgs: number;
  maxArgs: number;
  call(args: Value[]): Value;
}

const MAX_ARGS = 20;

/** Functions by name. `html` changes nothing, because outputs in HTML are always escaped for their context. */
export const FUNCTIONS: Record<string, TemplateFunction> = {
  and: { minArgs: 1, maxArgs: MAX_ARGS, call: (args) => firstOrLast(args, (arg) => !isTrue(arg)) },
  or: { minArgs: 1, maxArgs: MAX_ARGS, call: (args) => firstOrLast(args, isTrue) },
  not: { minArgs: 1, maxArgs: 1, call: ([value]) => !isTrue(value) },
  eq: {
    minArgs: 2,
    maxArgs: MAX_ARGS,
    call: ([value, ...others]) => others.some((other) => isSame(value, other)),
  },
  ne: { minArgs: 2, maxArgs: 2, call: ([one, other]) => !isSame(one, other) },
  lt: { minArgs: 2, maxArgs: 2, call: ([one, other]) => compare(one, other) === -1 },
  le: { minArgs: 2, maxArgs: 2, call: ([one, other]) => [-1, 0].includes(compare(one, other)) },
  gt: { minArgs: 2, maxArgs: 2, call: ([one, other]) => compare(one, other) === 1 },
  ge: { minArgs: 2, maxArgs: 2, call: ([one, other]) => [1, 0].includes(compare(one, other)) },
  len: { minArgs: 1, maxArgs: 1, call: ([value]) => lengthOf(value) },
  index: { minArgs: 1, maxArgs: MAX_ARGS, call: ([value, ...keys]) => keys.reduce(memberOf, value) },
  print: { minArgs: 0, maxArgs: MAX_ARGS, call: print },
  println: { minArgs: 0, maxArgs: MAX_ARGS, call: (args) => `${args.map(textOf).join(' ')}\n` },
  printf: { minArgs: 1, maxArgs: MAX_ARGS, call: ([format, ...args]) => printf(textOf(format), args) },
  html: { minArgs: 1, maxArgs: MAX_ARGS, call: (args) => (args.length === 1 ? args[0] : print(args)) },
  urlquery: { minArgs: 1, maxArgs: MAX_ARGS, call: (args) => queryEscape(textOf(print(args))) },
};

/** A member of a map or an item of a list; undefined if it does not exist. Never returns inherited properties. */
export function memberOf(value: Value, key: Value): Value {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  if (typeof value !== 'object' || value === null || typeof key !== 'string') return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, Value>)[key] : undefined;
}

/** Encodes like Go's url.QueryEscape: keeps only letters, digits and `-_.~`, and encodes a space as `+`. */
export function queryEscape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function firstOrLast(args: Value[], test: (arg: Value) => boolean): Value {
  const index = args.findIndex(test);
  return args.at(index);
}

function isSame(one: Value, other: Value): boolean {
  const isPlain = (value: Value) => typeof value !== 'object' || value === null;
  if (isPlain(one) && isPlain(other) && typeof one === typeof other) return one === other;
  // A missing value equals an empty text, so that `eq .Data.lang "de"` needs no check before.
  return textOf(one) === textOf(other);
}

function compare(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return Math.sign(one - other);
  const [first, second] = [textOf(one), textOf(other)];
  return first === second ? 0 : first < second ? -1 : 1;
}

function lengthOf(value: Value): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return textOf(value).length;
}

/** Like Go's `print`: adds a space between two arguments if neither is a text. */
function print(args: Value[]): string {
  return args.reduce<string>((text, arg, index) => {
    const before = args[index - 1];
    const hasSpaceBefore = index > 0 && typeof arg !== 'string' && typeof before !== 'string';
    return text + (hasSpaceBefore ? ' ' : '') + textOf(arg);
  }, '');
}

function printf(format: string, args: Value[]): string {
  const rest = [...args];
  return format.replace(/%([sdvq%])/g, (_all, verb: string) => {
    if (verb === '%') return '%';
    const text = textOf(rest.shift());
    return verb === 'q' ? JSON.stringify(text) : text;
  });
}
