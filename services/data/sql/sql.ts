/**
 * Builds SQL text from fragments. Template strings contain only literal text of this code base; everything else is a
 * fragment: a quoted name, a type with validated characters, or a parameter. So no value of a request can become SQL
 * text.
 */
import { quoteIdentifier, quoteLiteral } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import { IS_VALUES, type IsValue, OPERATORS, type OperatorName } from '../operators.ts';
import type { QualifiedName } from '../schema-cache/schema-cache.ts';

/** A piece of SQL. Only the functions of this module create fragments. */
export class Fragment {
  readonly parts: readonly (string | Parameter | Fragment)[];

  constructor(parts: readonly (string | Parameter | Fragment)[]) {
    this.parts = parts;
  }
}

/** A parameter: the index of its value among all values of a request. */
interface Parameter {
  slot: number;
}

/** SQL text and the slots of its parameters: the value of `$1` is in slot `slots[0]`. */
export interface SqlText {
  text: string;
  slots: readonly number[];
}

/**
 * Creates a fragment from a template. Only fragments can be interpolated.
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

export const EMPTY = sql``;

/** Quotes a name, or several names as a qualified name (`"schema"."relation"`). Throws PGRST100 for an invalid name. */
export function name(...names: readonly string[]): Fragment {
  // For PostgreSQL, a NUL ends the statement.
  if (names.some((each) => each.includes('\0'))) {
    throw failure('PGRST100', { message: 'A name cannot contain a NUL character' });
  }
  return new Fragment([names.map(quoteIdentifier).join('.')]);
}

/** Quotes the name of a relation or a function with its schema. */
export function qualified({ schema, name: own }: QualifiedName): Fragment {
  return name(schema, own);
}

/** Quotes a name as a string literal, for example as the key of a JSON object. */
export function nameText(text: string): Fragment {
  if (text.includes('\0')) throw failure('PGRST100', { message: 'A name cannot contain a NUL character' });
  return new Fragment([quoteLiteral(text)]);
}

/**
 * Creates a fragment from SQL text that PostgreSQL printed from its catalogs: the name of a type or the default of a
 * column. It is trusted because only the owner of the table or type can define it, and an insert would run it anyway.
 * Never pass any other text.
 */
export function catalogSql(text: string): Fragment {
  return new Fragment([text]);
}

/** Letters, digits, `_`, `$` and blanks. No word may start with `$`, because that could begin a dollar-quoted string. */
const TYPE = /^(?!.*(?<![\p{L}\p{N}_$])\$)[\p{L}\p{N}_$ ]+$/u;

/**
 * Returns `cast(… as type)`. The type is not quoted because most type names are keywords. Throws PGRST100 if it is
 * invalid.
 */
export function cast(expression: Fragment, type: string | undefined): Fragment {
  if (type === undefined) return expression;
  if (!TYPE.test(type)) throw failure('PGRST100', { message: `Invalid type name: ${type}` });
  return sql`cast(${expression} as ${new Fragment([type])})`;
}

/** Returns the SQL of a filter operator: an infix operator or, for a search, a function. */
export function operatorSql(operator: OperatorName): Fragment {
  return new Fragment([OPERATORS[operator].sql]);
}

/** Returns the SQL of a word after `is`. */
export function isValueSql(value: IsValue): Fragment {
  return new Fragment([IS_VALUES[value]]);
}

/** Creates a parameter for the value of a slot. */
export function parameter(slot: number): Fragment {
  return new Fragment([{ slot }]);
}

/** Creates a literal for a trusted integer, such as a configured limit. */
export function integer(number: number): Fragment {
  if (!Number.isSafeInteger(number)) throw new Error(`${number} is not a whole number`);
  return new Fragment([String(number)]);
}

/** Joins fragments with a separator. */
export function join(fragments: readonly Fragment[], separator: '' | ', ' | ' and ' | ' or '): Fragment {
  return new Fragment(fragments.flatMap((each, index) => (index === 0 ? [each] : [separator, each])));
}

/** Returns the text. Parameters are numbered in order of first occurrence; a repeated slot uses the same parameter. */
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
