/**
 * The parameters `columns` and `on_conflict`.
 *
 *     columns = name *( "," name )
 */
import { MAX_COLUMNS, type Usage } from './limits.ts';
import { COMMA, Scanner } from './scanner.ts';

/** Parses a list of one or more names. `parameter` is the name of the list, for messages. */
export function parseColumns(
  parameter: 'columns' | 'on_conflict',
  text: string,
  usage: Usage,
): readonly string[] {
  const scanner = new Scanner(`${parameter} parameter`, text, usage);
  const names = new Set<string>();
  do {
    scanner.blanks();
    names.add(scanner.name());
    if (names.size > MAX_COLUMNS) scanner.refuse(`at most ${MAX_COLUMNS} names`);
    scanner.blanks();
  } while (scanner.accept(COMMA));
  scanner.end('"," or end of input');
  return [...names];
}
