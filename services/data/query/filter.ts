/**
 * Conditions: the value of a filter parameter, or the part of an operand of `and` and `or` after the field.
 *
 *     condition = [ "not." ] operation
 *     operation = quantifiable [ "(any)" / "(all)" ] "." value
 *               / simple "." value
 *               / "in." list
 *               / "is." ( "null" / "not_null" / "true" / "false" / "unknown" )     ; in any case
 *               / search [ "(" type ")" ] "." value
 *
 * The operators of each kind are in `operators.ts`.
 */
import { findOperator, IS_VALUES, type IsValue } from '../operators.ts';
import type { Operation } from './ast.ts';
import { MAX_CONDITIONS, type Usage } from './limits.ts';
import { DOT, LEFT, RIGHT, Scanner } from './scanner.ts';
import { parseList, parseNestedValue, parseRest } from './value.ts';

/** A filter without its field. */
interface Condition {
  isNegated: boolean;
  operation: Operation;
}

const EXPECTED_OPERATOR = 'operator (eq, gt, ...)';
const EXPECTED_IS_VALUE = `isVal: (${Object.keys(IS_VALUES).join(', ')})`;

/** Parses the value of a parameter as a condition. Returns undefined if it does not begin with an operator. */
export function parseFilterValue(text: string, usage: Usage): Condition | undefined {
  const scanner = new Scanner('filter', text, usage);
  const isNegated = scanner.acceptText('not.');
  const operation = parseOperation(scanner, parseRest);
  if (operation === undefined) {
    return isNegated ? scanner.fail(EXPECTED_OPERATOR) : undefined;
  }
  scanner.end('end of input');
  countCondition(scanner);
  return { isNegated, operation };
}

/** Throws the error for a value that must be a condition but is not. */
export function refuseFilterValue(text: string, usage: Usage): never {
  const scanner: Scanner = new Scanner('filter', text, usage);
  scanner.fail(`"not" or ${EXPECTED_OPERATOR}`);
}

/** Parses a condition within `and` and `or`. */
export function parseNestedCondition(scanner: Scanner, expected = EXPECTED_OPERATOR): Condition {
  const isNegated = scanner.acceptText('not.');
  const operation = parseOperation(scanner, parseNestedValue);
  if (operation === undefined) scanner.fail(expected);
  countCondition(scanner);
  return { isNegated, operation };
}

/** Counts a condition. Throws if there are more than {@link MAX_CONDITIONS}. */
export function countCondition(scanner: Scanner): void {
  scanner.usage.conditions += 1;
  if (scanner.usage.conditions > MAX_CONDITIONS) scanner.refuse(`at most ${MAX_CONDITIONS} conditions`);
}

/**
 * Parses an operator, a dot and a value. Returns undefined if the operator or the dot is missing; the scanner is then
 * at the unexpected character.
 */
function parseOperation(scanner: Scanner, parseValue: (scanner: Scanner) => string): Operation | undefined {
  const start = scanner.position;
  const operator = findOperator(scanner.word());
  if (operator === undefined) {
    scanner.position = start;
    return undefined;
  }
  switch (operator.syntax) {
    case 'quantifiable': {
      const quantifier = parseQuantifier(scanner);
      if (!scanner.accept(DOT)) return undefined;
      return { kind: 'quantifiable', operator: operator.name, quantifier, value: parseValue(scanner) };
    }
    case 'search': {
      const config = parseConfig(scanner);
      if (config === null || !scanner.accept(DOT)) return undefined;
      return { kind: 'search', operator: operator.name, config, value: parseValue(scanner) };
    }
    case 'simple':
      if (!scanner.accept(DOT)) return undefined;
      return { kind: 'simple', operator: operator.name, value: parseValue(scanner) };
    case 'in':
      return scanner.accept(DOT) ? { kind: 'in', values: parseList(scanner) } : undefined;
    case 'is':
      return scanner.accept(DOT) ? { kind: 'is', value: parseIsValue(scanner) } : undefined;
  }
}

function parseQuantifier(scanner: Scanner): 'any' | 'all' | undefined {
  if (scanner.code() !== LEFT) return undefined;
  if (scanner.acceptText('(any)')) return 'any';
  if (scanner.acceptText('(all)')) return 'all';
  scanner.position += 1;
  return undefined;
}

/** Parses the name of a search configuration. Returns undefined if there is none, and null if it is invalid. */
function parseConfig(scanner: Scanner): string | undefined | null {
  if (!scanner.accept(LEFT)) return undefined;
  const config = scanner.typeIfAny();
  return config !== undefined && scanner.accept(RIGHT) ? config : null;
}

function parseIsValue(scanner: Scanner): IsValue {
  const start = scanner.position;
  const value = scanner.letters().toLowerCase();
  if (isIsValue(value)) return value;
  scanner.position = start;
  scanner.fail(EXPECTED_IS_VALUE);
}

function isIsValue(value: string): value is IsValue {
  return Object.hasOwn(IS_VALUES, value);
}
