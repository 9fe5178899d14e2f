/**
 * The `select` parameter.
 *
 *     select = [ item *( "," item ) ]
 *     item   = "*"
 *            / [ name ":" ] "count()" [ "::" type ]
 *            / [ name ":" ] field [ "::" type ] [ "." aggregate "()" [ "::" type ] ]
 *            / [ name ":" ] name *2( "!" param ) "(" select ")"
 *            / "..." name *2( "!" param ) "(" select ")"
 *     param  = "inner" / "left" / name           ; one of each kind at most
 */
import { LRUCache } from 'lru-cache';
import { copyString } from '../copy-string.ts';
import type { AggregateName, SelectAll, SelectEmbed, SelectField, SelectItem } from './ast.ts';
import { parseFieldAfter } from './field.ts';
import { MAX_EMBED_DEPTH, MAX_EMBEDS, MAX_SELECT_ITEMS, type Usage } from './limits.ts';
import { ASTERISK, COLON, COMMA, DOT, END, EXCLAMATION, LEFT, RIGHT, Scanner } from './scanner.ts';

const ALL: SelectAll = Object.freeze({ kind: 'all' });
const AGGREGATES: ReadonlySet<string> = new Set<AggregateName>(['sum', 'avg', 'count', 'min', 'max']);

/** Total length of the cached texts. */
const CACHED_CHARACTERS = 128 * 1024;
/** Parsed lists by their text: clients send the same few lists repeatedly. */
const parsedLists = new LRUCache<string, readonly SelectItem[]>({ maxSize: CACHED_CHARACTERS });

/**
 * Parses `select`. The same text may return the same object. An empty text returns no items. As in PostgREST, any text
 * after a final embed or a `)` is ignored.
 */
export function parseSelect(text: string, usage: Usage): readonly SelectItem[] {
  const known = parsedLists.get(text);
  if (known !== undefined) return known;
  const key = copyString(text);
  const items = readSelect(key, usage);
  parsedLists.set(key, items, { size: key.length + 1 });
  return items;
}

function readSelect(text: string, usage: Usage): readonly SelectItem[] {
  const scanner = new Scanner('select parameter', text, usage);
  const items = parseItems(scanner, 0);
  const isOver = scanner.code() === RIGHT || items.at(-1)?.kind === 'embed';
  if (!isOver) scanner.end('"," or end of input');
  return items;
}

/** The items of a query without `select`. */
export const DEFAULT_SELECT: readonly SelectItem[] = Object.freeze([ALL]);

function parseItems(scanner: Scanner, depth: number): SelectItem[] {
  const items: SelectItem[] = [];
  scanner.blanks();
  const first = scanner.code();
  if (first === END || first === RIGHT) return items;
  do {
    scanner.blanks();
    scanner.usage.selectItems += 1;
    if (scanner.usage.selectItems > MAX_SELECT_ITEMS) scanner.refuse(`at most ${MAX_SELECT_ITEMS} items`);
    items.push(parseItem(scanner, depth));
    scanner.blanks();
  } while (scanner.accept(COMMA));
  return items;
}

function parseItem(scanner: Scanner, depth: number): SelectItem {
  if (scanner.accept(ASTERISK)) return ALL;
  if (scanner.acceptText('...')) return parseEmbed(scanner, scanner.name(), undefined, true, depth);
  let name = scanner.name();
  let alias: string | undefined;
  scanner.blanks();
  if (scanner.code() === COLON && scanner.code(1) !== COLON) {
    scanner.position += 1;
    scanner.blanks();
    alias = name;
    name = scanner.name();
    scanner.blanks();
  }
  const code = scanner.code();
  if (code === LEFT && name === 'count' && !scanner.isQuoted) return parseCount(scanner, alias);
  if (code === LEFT || code === EXCLAMATION) return parseEmbed(scanner, name, alias, false, depth);
  return parseSelectField(scanner, name, alias);
}

function parseCount(scanner: Scanner, alias: string | undefined): SelectItem {
  scanner.expect(LEFT);
  scanner.expect(RIGHT);
  return { kind: 'count', alias, cast: parseCast(scanner) };
}

function parseSelectField(scanner: Scanner, name: string, alias: string | undefined): SelectField {
  const field = parseFieldAfter(scanner, name);
  const cast = parseCast(scanner);
  const aggregate = scanner.accept(DOT) ? parseAggregate(scanner) : undefined;
  return { kind: 'field', field, alias, cast, aggregate };
}

function parseCast(scanner: Scanner): string | undefined {
  return scanner.acceptText('::') ? scanner.type() : undefined;
}

function parseAggregate(scanner: Scanner): NonNullable<SelectField['aggregate']> {
  const start = scanner.position;
  const name = scanner.word();
  if (!isAggregate(name) || !scanner.acceptText('()')) {
    scanner.position = start;
    scanner.fail('sum(), avg(), count(), min() or max()');
  }
  return { name, cast: parseCast(scanner) };
}

function isAggregate(name: string): name is AggregateName {
  return AGGREGATES.has(name);
}

function parseEmbed(
  scanner: Scanner,
  target: string,
  alias: string | undefined,
  isSpread: boolean,
  depth: number,
): SelectEmbed {
  const { hint, join } = parseEmbedParams(scanner);
  if (depth === MAX_EMBED_DEPTH) scanner.refuse(`at most ${MAX_EMBED_DEPTH} levels of embeds`);
  scanner.usage.embeds += 1;
  if (scanner.usage.embeds > MAX_EMBEDS) scanner.refuse(`at most ${MAX_EMBEDS} embeds`);
  scanner.expect(LEFT);
  const select = parseItems(scanner, depth + 1);
  scanner.expect(RIGHT, '")" or ","');
  return { kind: 'embed', target, alias, hint, join, isSpread, select };
}

function parseEmbedParams(scanner: Scanner): Pick<SelectEmbed, 'hint' | 'join'> {
  let hint: string | undefined;
  let join: SelectEmbed['join'];
  scanner.blanks();
  while (scanner.accept(EXCLAMATION)) {
    const start = scanner.position;
    const name = scanner.name();
    const isJoin = !scanner.isQuoted && (name === 'inner' || name === 'left');
    if ((isJoin ? join : hint) !== undefined) {
      scanner.position = start;
      scanner.fail(isJoin ? 'one of inner and left only' : 'one hint only');
    }
    if (isJoin) join = name;
    else hint = name;
    scanner.blanks();
  }
  return { hint, join };
}
