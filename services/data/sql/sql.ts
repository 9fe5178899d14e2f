/**
 * SQL text out of fragments. What is in a template is text of ours; everything else comes in as a fragment: a name that is
 * quoted, a type in a checked charset, or a parameter. So no value of a request can become SQL text.
 */
import { quoteIdentifier, quoteLiteral } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import { IS_VALUES, type IsValue, OPERATORS, type OperatorName } from '../operators.ts';
import type { QualifiedName } from '../schema-cache/schema-cache.ts';

/** A piece of SQL. Only the functions of this module make one. */
export class Fragment {
  readonly parts: readonly (string | Parameter | Fragment)[];

  constructor(parts: readonly (string | Parameter | Fragment)[]) {
    this.parts = parts;
  }
}

/** A parameter, by the place of its value among all values of a request. */
interface Parameter {
  slot: number;
}

/** SQL text, and for each of its parameters the slot of its value: `$1` is the value in `slots[0]`. */
export interface SqlText {
  text: string;
  slots: readonly number[];
}

/**
 * Makes a fragment of a template and the fragments in it.
 *
 * @example sql`select ${name('id')} from ${relationName(films)} limit ${parameter(3)}`
 */
export function sql(texts: TemplateStringsArray, ...inserted: readonly Fragment[]): Fragment {
  const parts: (string | Fragment)[] = [];
  texts.forEach((text, index) => {
    if (text !== '') parts.push(text);
    const next = inserted[index];
    if (next !== undefined) parts.push(next);
  });
  return new Fragment(parts);
}

/** No text. */
export const EMPTY = sql``;

/** A name, quoted; with several, a name in a schema or of a relation. Throws PGRST100 if it cannot be one. */
export function name(...names: readonly string[]): Fragment {
  // PostgreSQL would take the statement to end there.
  if (names.some((each) => each.includes('\0'))) {
    throw failure('PGRST100', { message: 'A name cannot contain the character 0' });
  }
  return new Fragment([names.map(quoteIdentifier).join('.')]);
}

/** A relation or a function with its schema. */
export function qualified({ schema, name: own }: QualifiedName): Fragment {
  return name(schema, own);
}

/** A name where SQL wants a text, like the key of a JSON object. */
export function nameText(text: string): Fragment {
  if (text.includes('\0')) throw failure('PGRST100', { message: 'A name cannot contain the character 0' });
  return new Fragment([quoteLiteral(text)]);
}

/**
 * SQL text that PostgreSQL itself has printed from its catalogs: the name of a type, or what a column has by default. Only
 * who owns the table, or the type, decides on it, and an insert would run it all the same. Nothing else may come in here.
 */
export function catalogSql(text: string): Fragment {
  return new Fragment([text]);
}

/** Letters, digits, `_`, `$` and blanks. A `$` at the start of a word could begin a text in dollar quotes. */
const TYPE = /^(?!.*(?<![\p{L}\p{N}_$])\$)[\p{L}\p{N}_$ ]+$/u;

/** `cast(… as type)`. The type is not quoted, for most names of types are words of the grammar. */
export function cast(expression: Fragment, type: string | undefined): Fragment {
  if (type === undefined) return expression;
  if (!TYPE.test(type)) throw failure('PGRST100', { message: `This cannot be a type: ${type}` });
  return sql`cast(${expression} as ${new Fragment([type])})`;
}

/** The SQL of a filter operator: an infix operator or, of a search, a function. */
export function operatorSql(operator: OperatorName): Fragment {
  return new Fragment([OPERATORS[operator].sql]);
}

/** The SQL of a word after `is`. */
export function isValueSql(value: IsValue): Fragment {
  return new Fragment([IS_VALUES[value]]);
}

/** The parameter that has the value of a slot. */
export function parameter(slot: number): Fragment {
  return new Fragment([{ slot }]);
}

/** A whole number of our own, like a configured limit. */
export function wholeNumber(number: number): Fragment {
  if (!Number.isSafeInteger(number)) throw new Error(`${number} is no whole number`);
  return new Fragment([String(number)]);
}

/** Fragments in a row. */
export function join(fragments: readonly Fragment[], separator: '' | ', ' | ' and ' | ' or '): Fragment {
  return new Fragment(fragments.flatMap((each, index) => (index === 0 ? [each] : [separator, each])));
}

/** The text, with parameters numbered in the order in which they come; the same slot is the same parameter. */
export function toText(fragment: Fragment): SqlText {
  const numbers = new Map<number, number>();
  const texts: string[] = [];
  const write = ({ parts }: Fragment) => {
    for (const part of parts) {
      if (typeof part === 'string') texts.push(part);
      else if (part instanceof Fragment) write(part);
      else {
        const number = numbers.get(part.slot) ?? numbers.size + 1;
        numbers.set(part.slot, number);
        texts.push(`$${number}`);
      }
    }
  };
  write(fragment);
  return { text: texts.join(''), slots: [...numbers.keys()] };
}
