/**
 * The parameters `and` and `or`.
 *
 *     group   = "(" operand *( "," operand ) ")"
 *     operand = [ "not." ] ( "and" / "or" ) group
 *             / field "." condition
 */
import type { Logic } from './ast.ts';
import { parseFieldAfter } from './field.ts';
import { countCondition, parseNestedCondition } from './filter.ts';
import { MAX_LOGIC_DEPTH, type Usage } from './limits.ts';
import { COMMA, DOT, EXPECTED_NAME, LEFT, RIGHT, Scanner } from './scanner.ts';

type Group = Exclude<Logic, { kind: 'filter' }>;
type GroupKind = Group['kind'];

const EXPECTED_OPERAND = `${EXPECTED_NAME}, negation operator (not) or logic operator (and, or)`;
const EXPECTED_LOGIC = 'logic operator (and, or)';

/** Parses a whole parameter. `kind` is its name, `text` its value. */
export function parseLogic(kind: GroupKind, isNegated: boolean, text: string, usage: Usage): Logic {
  // As in PostgREST, positions in messages include the operator.
  const before = isNegated ? `not.${kind}` : kind;
  const scanner = new Scanner('logic tree', text, usage, before.length);
  const group = parseGroup(scanner, kind, isNegated, 1);
  // PostgREST ignores any text after the group. Clients send superfluous closing parentheses, so these are accepted;
  // other text is rejected, because it would be lost silently.
  while (scanner.accept(RIGHT)) scanner.blanks();
  scanner.end('end of input');
  return group;
}

function parseGroup(scanner: Scanner, kind: GroupKind, isNegated: boolean, depth: number): Group {
  if (depth > MAX_LOGIC_DEPTH) scanner.refuse(`at most ${MAX_LOGIC_DEPTH} levels of and, or`);
  countCondition(scanner);
  const operands: Logic[] = [];
  scanner.blanks();
  scanner.expect(LEFT);
  do {
    scanner.blanks();
    operands.push(parseOperand(scanner, depth));
    scanner.blanks();
  } while (scanner.accept(COMMA));
  scanner.expect(RIGHT, '"," or ")"');
  scanner.blanks();
  return { kind, isNegated, operands };
}

function parseOperand(scanner: Scanner, depth: number): Logic {
  const name = scanner.name(EXPECTED_OPERAND);
  const isWord = !scanner.isQuoted;
  scanner.blanks();
  if (isWord && isGroupKind(name) && scanner.code() === LEFT) {
    return parseGroup(scanner, name, false, depth + 1);
  }
  const isNot = isWord && name === 'not';
  const negated = isNot ? acceptNegatedKind(scanner) : undefined;
  if (negated !== undefined) return parseGroup(scanner, negated, true, depth + 1);
  const field = parseFieldAfter(scanner, name);
  scanner.expect(DOT, 'delimiter (.)');
  const condition = parseNestedCondition(scanner, isNot ? EXPECTED_LOGIC : undefined);
  return { kind: 'filter', filter: { field, ...condition } };
}

/** Skips `.and` or `.or` after `not` if a group follows. Otherwise `not` is the name of a column. */
function acceptNegatedKind(scanner: Scanner): GroupKind | undefined {
  const start = scanner.position;
  if (scanner.accept(DOT)) {
    const word = scanner.word();
    scanner.blanks();
    if (isGroupKind(word) && scanner.code() === LEFT) return word;
  }
  scanner.position = start;
  return undefined;
}

function isGroupKind(word: string): word is GroupKind {
  return word === 'and' || word === 'or';
}
