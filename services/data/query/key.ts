/**
 * The names of parameters: a path of embeds, followed by a field or a keyword.
 *
 *     key = *( name "." ) ( field / "order" / "limit" / "offset" / [ "not." ] ( "and" / "or" ) )
 */
import type { Field } from './ast.ts';
import { parseFieldAfter } from './field.ts';
import { MAX_EMBED_DEPTH, type Usage } from './limits.ts';
import { DOT, Scanner } from './scanner.ts';

/** The path of the relation itself. */
const ROOT: readonly string[] = Object.freeze([]);

interface FieldKey {
  path: readonly string[];
  field: Field;
}

/** Parses the key of a filter. */
export function parseFieldKey(key: string, usage: Usage): FieldKey {
  const scanner = new Scanner('tree path', key, usage);
  const { path, last } = parseNames(scanner);
  const field = parseFieldAfter(scanner, last);
  scanner.end('end of input');
  return { path, field };
}

/** Parses the path of a key that ends in `order`, `limit` or `offset`. */
export function parsePath(key: string, usage: Usage): readonly string[] {
  if (!key.includes('.')) return ROOT;
  const scanner = new Scanner('tree path', key, usage);
  const { path } = parseNames(scanner);
  scanner.end('end of input');
  return path;
}

/** Parses the path of a key that ends in `and` or `or`, optionally preceded by `not`. */
export function parseLogicKey(key: string, usage: Usage): { path: readonly string[]; isNegated: boolean } {
  if (!key.includes('.')) return { path: ROOT, isNegated: false };
  const scanner = new Scanner('logic path', key, usage);
  const { path, isLastQuoted } = parseNames(scanner);
  scanner.end('end of input');
  const isNegated = !isLastQuoted && path.at(-1) === 'not';
  return { path: isNegated ? path.slice(0, -1) : path, isNegated };
}

/** Parses names separated by dots. Returns the last name separately. */
function parseNames(scanner: Scanner): { path: readonly string[]; last: string; isLastQuoted: boolean } {
  let path: string[] | undefined;
  let isLastQuoted = false;
  let last = parseName(scanner);
  while (scanner.accept(DOT)) {
    path ??= [];
    // The path may have one more name, because `not` is not an embed.
    if (path.length > MAX_EMBED_DEPTH) scanner.refuse(`at most ${MAX_EMBED_DEPTH} levels of embeds`);
    path.push(last);
    isLastQuoted = scanner.isQuoted;
    last = parseName(scanner);
  }
  return { path: path ?? ROOT, last, isLastQuoted };
}

function parseName(scanner: Scanner): string {
  scanner.blanks();
  const name = scanner.name();
  scanner.blanks();
  return name;
}
