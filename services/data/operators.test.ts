import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { findOperator, IS_VALUES, OPERATORS, type Operator } from './operators.ts';
import { parseFilterValue } from './query/filter.ts';
import { Usage } from './query/limits.ts';

const page = await readFile(new URL('../../docs/reference/data.md', import.meta.url), 'utf8');
const operators = Object.keys(OPERATORS).map((name) => findOperator(name) as Operator);

/** A condition with the operator, in each form that its syntax allows. */
const CONDITIONS: Readonly<Record<Operator['syntax'], (name: string) => string[]>> = {
  quantifiable: (name) => [`${name}.1`, `${name}(any).{1}`, `${name}(all).{1}`],
  simple: (name) => [`${name}.1`],
  in: (name) => [`${name}.(1)`],
  is: (name) => Object.keys(IS_VALUES).map((value) => `${name}.${value}`),
  search: (name) => [`${name}.1`, `${name}(english).1`],
};

/** How the reference page writes an operator and its value. */
const FORMS: Readonly<Record<Operator['syntax'], (name: string) => string>> = {
  quantifiable: (name) => `\`${name}.value\`, \`${name}(any).{…}\``,
  simple: (name) => `\`${name}.value\``,
  in: (name) => `\`${name}.(value,…)\``,
  is: (name) =>
    Object.keys(IS_VALUES)
      .map((value) => `\`${name}.${value}\``)
      .join(', '),
  search: (name) => `\`${name}.text\`, \`${name}(configuration).text\``,
};

function rowOf({ name, syntax, sql, description }: Operator): string {
  const text = syntax === 'search' ? `@@ ${sql}` : sql;
  return `| \`${name}\` | ${FORMS[syntax](name)} | \`${text}\` | ${description} |`;
}

it('the operators are those of PostgREST', () => {
  expect(
    Object.fromEntries(operators.map(({ name, syntax, sql, value }) => [name, [syntax, sql, value]])),
  ).toEqual({
    eq: ['quantifiable', '=', 'column'],
    neq: ['simple', '<>', 'column'],
    gt: ['quantifiable', '>', 'column'],
    gte: ['quantifiable', '>=', 'column'],
    lt: ['quantifiable', '<', 'column'],
    lte: ['quantifiable', '<=', 'column'],
    like: ['quantifiable', 'like', 'pattern'],
    ilike: ['quantifiable', 'ilike', 'pattern'],
    match: ['quantifiable', '~', 'literal'],
    imatch: ['quantifiable', '~*', 'literal'],
    in: ['in', '= any', 'column'],
    is: ['is', 'is', 'literal'],
    isdistinct: ['simple', 'is distinct from', 'literal'],
    fts: ['search', 'to_tsquery', 'literal'],
    plfts: ['search', 'plainto_tsquery', 'literal'],
    phfts: ['search', 'phraseto_tsquery', 'literal'],
    wfts: ['search', 'websearch_to_tsquery', 'literal'],
    cs: ['simple', '@>', 'column'],
    cd: ['simple', '<@', 'column'],
    ov: ['simple', '&&', 'column'],
    sl: ['simple', '<<', 'column'],
    sr: ['simple', '>>', 'column'],
    nxr: ['simple', '&<', 'column'],
    nxl: ['simple', '&>', 'column'],
    adj: ['simple', '-|-', 'column'],
  });
});

it('finds no operator for a name of Object.prototype', () => {
  expect(findOperator('constructor')).toBeUndefined();
});

describe.each(operators)('$name', ({ name, syntax }) => {
  it.each(CONDITIONS[syntax](name))('is parsed with and without negation: %s', (condition) => {
    for (const [text, isNegated] of [
      [condition, false],
      [`not.${condition}`, true],
    ] as const) {
      expect(parseFilterValue(text, new Usage())).toMatchObject({ isNegated, operation: { kind: syntax } });
    }
  });
});

it('the reference page lists exactly the operators', () => {
  const [, section = ''] = page.split('\n## Filters\n');
  const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm);
  expect(rows).toEqual(operators.map(rowOf));
});
