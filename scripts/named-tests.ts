/** Reads tables of the documentation that name tests: `file` “title”, “another title”, `another file` “title”, trial `name`. */

/** The title of a test, and its file. */
interface NamedTest {
  /** Relative to the root of the repository. */
  file: string;
  title: string;
}

/** Returns the cells of each row of the tables in `text`, without the rows of their headings. */
export function tableRows(text: string): string[][] {
  const tables = text
    .split(/\n(?!\|)/)
    .map((part) => part.split('\n').filter((line) => line.startsWith('| ')));
  return tables.flatMap(([, ...rows]) => rows.map((line) => line.slice(2, -2).split(' | ')));
}

/** Returns the tests that a cell names. */
export function namedTests(cell: string): NamedTest[] {
  return [...cell.matchAll(/`([^`]+)` ((?:“[^”]+”(?:, (?=“))?)+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
  );
}

/** Returns the trials that a cell names. */
export function namedTrials(cell: string): string[] {
  return [...cell.matchAll(/\btrial\b[^`|]*`([^`]+)`/g)].map(([, name = '']) => name);
}
