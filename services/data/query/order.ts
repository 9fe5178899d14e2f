/**
 * The `order` parameter.
 *
 *     order = term *( "," term )
 *     term  = ( field / name "(" field ")" ) [ ".asc" / ".desc" ] [ ".nullsfirst" / ".nullslast" ]
 */
import type { OrderTerm } from './ast.ts';
import { parseField, parseFieldAfter } from './field.ts';
import { MAX_ORDER_TERMS, type Usage } from './limits.ts';
import { COMMA, DOT, LEFT, RIGHT, Scanner } from './scanner.ts';

const EXPECTED_NULLS = '"nullsfirst" or "nullslast"';
const EXPECTED_DIRECTION = `"asc", "desc", ${EXPECTED_NULLS}`;

/** Parses the value of `order`: one or more terms. */
export function parseOrder(text: string, usage: Usage): readonly OrderTerm[] {
  const scanner = new Scanner('order', text, usage);
  const terms: OrderTerm[] = [];
  do {
    usage.orderTerms += 1;
    if (usage.orderTerms > MAX_ORDER_TERMS) scanner.refuse(`at most ${MAX_ORDER_TERMS} terms`);
    terms.push(parseTerm(scanner));
  } while (scanner.accept(COMMA));
  scanner.end('"," or end of input');
  return terms;
}

function parseTerm(scanner: Scanner): OrderTerm {
  scanner.blanks();
  const name = scanner.name();
  scanner.blanks();
  const relation = scanner.accept(LEFT) ? name : undefined;
  const field = relation === undefined ? parseFieldAfter(scanner, name) : parseField(scanner);
  if (relation !== undefined) scanner.expect(RIGHT);
  const direction = readDirection(scanner);
  const nulls = readNulls(scanner);
  scanner.blanks();
  if (scanner.code() === DOT) refuseSuffix(scanner, direction, nulls);
  return { field, relation, direction, nulls };
}

function readDirection(scanner: Scanner): OrderTerm['direction'] {
  if (acceptSuffix(scanner, '.asc')) return 'asc';
  if (acceptSuffix(scanner, '.desc')) return 'desc';
  return undefined;
}

function readNulls(scanner: Scanner): OrderTerm['nulls'] {
  if (acceptSuffix(scanner, '.nullsfirst')) return 'first';
  if (acceptSuffix(scanner, '.nullslast')) return 'last';
  return undefined;
}

function acceptSuffix(scanner: Scanner, suffix: string): boolean {
  return scanner.code() === DOT && scanner.acceptText(suffix);
}

function refuseSuffix(scanner: Scanner, direction: OrderTerm['direction'], nulls: OrderTerm['nulls']): never {
  if (nulls !== undefined) scanner.fail('"," or end of input', "'");
  scanner.position += 1;
  scanner.fail(direction === undefined ? EXPECTED_DIRECTION : EXPECTED_NULLS);
}
