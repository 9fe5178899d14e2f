/**
 * Values of conditions. A value extends to the end of the text or, within parentheses, to the next comma or closing
 * parenthesis.
 *
 *     list   = "(" [ element *( "," element ) ] ")"
 *     value  = element / array
 *     element = quoted / *( any but "," and ")" )
 *     array  = "{" *( any but "{" and "}" ) "}"
 *
 * A text that begins with a quote counts as quoted only if a comma, a closing parenthesis or the end follows the second
 * quote, because clients quote values without escaping the quotes in them.
 */
import { MAX_LIST_VALUES } from './limits.ts';
import { COMMA, END, LEFT, LEFT_BRACE, QUOTE, RIGHT, RIGHT_BRACE, type Scanner } from './scanner.ts';

/** Reads the rest of the text as a value. */
export function parseRest(scanner: Scanner): string {
  const value = scanner.text.slice(scanner.position);
  scanner.position = scanner.text.length;
  return value;
}

/** Parses a value within `and` and `or`. */
export function parseNestedValue(scanner: Scanner): string {
  return (scanner.code() === LEFT_BRACE ? parseArray(scanner) : undefined) ?? parseElement(scanner);
}

/** Parses the list of `in`. `()` is an empty list; an empty text is a value if it is quoted or one of several elements. */
export function parseList(scanner: Scanner): readonly string[] {
  const values: string[] = [];
  scanner.blanks();
  scanner.expect(LEFT);
  scanner.blanks();
  if (!scanner.accept(RIGHT)) {
    do {
      scanner.usage.listValues += 1;
      if (scanner.usage.listValues > MAX_LIST_VALUES) scanner.refuse(`at most ${MAX_LIST_VALUES} values`);
      values.push(parseElement(scanner));
    } while (scanner.accept(COMMA));
    scanner.expect(RIGHT, '"," or ")"');
  }
  scanner.blanks();
  return values;
}

function parseElement(scanner: Scanner): string {
  return (scanner.code() === QUOTE ? parseQuoted(scanner) : undefined) ?? parseRaw(scanner);
}

function parseQuoted(scanner: Scanner): string | undefined {
  const start = scanner.position;
  const value = scanner.quoted();
  const next = scanner.code();
  if (value !== undefined && (next === COMMA || next === RIGHT || next === END)) return value;
  scanner.position = start;
  return undefined;
}

function parseRaw(scanner: Scanner): string {
  const start = scanner.position;
  let code = scanner.code();
  while (code !== COMMA && code !== RIGHT && code !== END) {
    scanner.position += 1;
    code = scanner.code();
  }
  scanner.usage.characters += scanner.position - start;
  return scanner.text.slice(start, scanner.position);
}

function parseArray(scanner: Scanner): string | undefined {
  const start = scanner.position;
  scanner.position += 1;
  let code = scanner.code();
  while (code !== LEFT_BRACE && code !== RIGHT_BRACE && code !== END) {
    scanner.position += 1;
    code = scanner.code();
  }
  scanner.usage.characters += scanner.position - start;
  if (scanner.accept(RIGHT_BRACE)) return scanner.text.slice(start, scanner.position);
  scanner.position = start;
  return undefined;
}
