/**
 * Fields and the paths into their JSON values.
 *
 *     field    = name jsonpath
 *     jsonpath = *( ( "->" / "->>" ) ( index / key ) )
 *     index    = [ "-" ] 1*DIGIT
 *     key      = quoted / part *( "-" part )     ; part: no "(", "-", ":", ".", ",", ">", ")"
 */
import type { Field, JsonStep } from './ast.ts';
import { MAX_JSON_STEPS } from './limits.ts';
import { COLON, COMMA, DASH, DOT, END, GREATER, LEFT, QUOTE, RIGHT, type Scanner } from './scanner.ts';

const NO_STEPS: readonly JsonStep[] = Object.freeze([]);
const EXPECTED_OPERAND = '"-", digit or any non reserved character different from: .,>()';

/** PostgreSQL's `->` expects a 32-bit integer. */
const MIN_INDEX = -(2 ** 31);
const MAX_INDEX = 2 ** 31 - 1;

/** Parses a field: a name and a JSON path, with optional blanks. */
export function parseField(scanner: Scanner): Field {
  scanner.blanks();
  const name = scanner.name();
  return parseFieldAfter(scanner, name);
}

/** Parses the rest of a field after its name. */
export function parseFieldAfter(scanner: Scanner, name: string): Field {
  scanner.blanks();
  const path = parseJsonPath(scanner);
  scanner.blanks();
  return { name, path };
}

/** Parses a JSON path, possibly empty. */
function parseJsonPath(scanner: Scanner): readonly JsonStep[] {
  if (!isArrow(scanner)) return NO_STEPS;
  const steps: JsonStep[] = [];
  while (isArrow(scanner)) {
    if (steps.length === MAX_JSON_STEPS) scanner.refuse(`at most ${MAX_JSON_STEPS} arrows in one field`);
    scanner.position += 2;
    const arrow = scanner.accept(GREATER) ? '->>' : '->';
    steps.push({ arrow, operand: parseOperand(scanner) });
    scanner.blanks();
  }
  return steps;
}

function isArrow(scanner: Scanner): boolean {
  return scanner.code() === DASH && scanner.code(1) === GREATER;
}

function parseOperand(scanner: Scanner): JsonStep['operand'] {
  if (scanner.code() === QUOTE) return parseQuotedKey(scanner);
  const start = scanner.position;
  const isNegative = scanner.accept(DASH);
  if (isNegative && !isDigit(scanner.code())) scanner.fail('digit');
  skipKey(scanner);
  const text = scanner.text.slice(start, scanner.position).trim();
  if (isInteger(text)) return parseIndex(scanner, text, start);
  if (text !== '' && !isNegative) return { kind: 'key', key: text };
  scanner.position = isNegative ? firstNonDigit(scanner.text, start + 1) : start;
  scanner.fail(isNegative ? 'digit, "->", "::", ".", "," or end of input' : EXPECTED_OPERAND);
}

function parseQuotedKey(scanner: Scanner): JsonStep['operand'] {
  const key = scanner.quoted();
  if (key !== undefined) return { kind: 'key', key };
  scanner.position = scanner.text.length;
  scanner.fail('"\\"" (the end of a quoted key)');
}

function parseIndex(scanner: Scanner, text: string, start: number): JsonStep['operand'] {
  // Adding 0 turns -0 into 0.
  const index = Number(text) + 0;
  if (index >= MIN_INDEX && index <= MAX_INDEX) return { kind: 'index', index };
  scanner.position = start;
  scanner.refuse(`index out of range: from ${MIN_INDEX} to ${MAX_INDEX}`);
}

/** Skips the characters of an unquoted key. */
function skipKey(scanner: Scanner): void {
  const start = scanner.position;
  for (let code = scanner.code(); code !== END; code = scanner.code()) {
    if (code === DASH) {
      if (scanner.position === start || isArrow(scanner)) break;
      scanner.position += 1;
      if (isReserved(scanner.code())) scanner.fail(EXPECTED_OPERAND);
    } else if (isReserved(code)) {
      break;
    }
    scanner.position += 1;
  }
  scanner.usage.characters += scanner.position - start;
}

function isReserved(code: number): boolean {
  switch (code) {
    case LEFT:
    case DASH:
    case COLON:
    case DOT:
    case COMMA:
    case GREATER:
    case RIGHT:
    case END:
      return true;
    default:
      return false;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function firstNonDigit(text: string, from: number): number {
  let position = from;
  while (position < text.length && isDigit(text.charCodeAt(position))) position += 1;
  return position;
}

/** Whether the text consists of digits, with or without a minus. */
export function isInteger(text: string): boolean {
  const from = text.charCodeAt(0) === DASH ? 1 : 0;
  return text.length > from && firstNonDigit(text, from) === text.length;
}
