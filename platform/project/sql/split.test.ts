import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf, splitStatements } from './split.ts';
import { SqlTextError } from './tokens.ts';

const textsOf = (sql: string) => splitStatements(sql).map(({ text }) => text);

/** Fragments whose combinations reach every state of the scanner. */
const FRAGMENTS = [
  ...[';', '\n', ' ', "'", "''", '"', '$$', '$a$', '$1', '--', '/*', '*/', '(', ')', '\\', '\n\\.\n'],
  ...[
    'e',
    "E'",
    'begin',
    'atomic',
    'end',
    'case',
    'create',
    'function',
    'copy',
    'from',
    'stdin',
    'x$y',
    'ä',
    '😀',
  ],
] as const;

describe('splitStatements', () => {
  it.each<[string, string, string[]]>([
    ['an empty file', ' \n ', []],
    ['semicolons without statements', ';;\n;', []],
    ['a statement without a semicolon', 'select 1', ['select 1']],
    ['several statements in one line', 'select 1; select 2;', ['select 1', 'select 2']],
    ['a string', "select ';'; select 2", ["select ';'", 'select 2']],
    ['a doubled quote', "select 'a'';'';'; select 2", ["select 'a'';'';'", 'select 2']],
    ['a backslash in a standard string', "select '\\'; select 2", ["select '\\'", 'select 2']],
    ['an escaped quote in an escape string', "select E'\\';'; select 2", ["select E'\\';'", 'select 2']],
    ['a doubled quote in an escape string', "select e''';\\''; select 2", ["select e''';\\''", 'select 2']],
    [
      'a continued escape string',
      "select E'a'\n -- ;\n '\\';'; select 2",
      ["select E'a'\n -- ;\n '\\';'", 'select 2'],
    ],
    ['a word that ends in e before a string', "select date'\\'; select 2", ["select date'\\'", 'select 2']],
    ['a Unicode string', "select U&'\\0061;'; select 2", ["select U&'\\0061;'", 'select 2']],
    ['a quoted name', 'select ";"";"; select 2', ['select ";"";"', 'select 2']],
    ['a dollar quote', 'do $$ begin; end; $$; select 2', ['do $$ begin; end; $$', 'select 2']],
    ['nested dollar quotes', 'do $a$ $b$;$b$ $$;$a$; select 2', ['do $a$ $b$;$b$ $$;$a$', 'select 2']],
    ['a tag with letters above 127', 'do $ä1$;$ä1$; select 2', ['do $ä1$;$ä1$', 'select 2']],
    ['a dollar sign in a name', 'select a$$; select b$$', ['select a$$', 'select b$$']],
    ['a parameter', 'select $1; select $2$;$2', ['select $1', 'select $2$', '$2']],
    ['a line comment', 'select 1 -- ; \' "\n; select 2', ['select 1 -- ; \' "', 'select 2']],
    [
      'a line comment that ends with a carriage return',
      'select 1 --;\r; select 2',
      ['select 1 --;', 'select 2'],
    ],
    ['nested comments', 'select /* ; /* ; */ ; */ 1; select 2', ['select /* ; /* ; */ ; */ 1', 'select 2']],
    ['a comment inside of an operator', 'select 1 +/* ; */ 2; select 2', ['select 1 +/* ; */ 2', 'select 2']],
    ['a comment in front of a statement', '-- first;\nselect 1;', ['-- first;\nselect 1']],
    ['a comment after the last statement', 'select 1;\n-- last', ['select 1', '-- last']],
    [
      'parentheses',
      'create rule r as on insert to t do (select 1; select (2););',
      ['create rule r as on insert to t do (select 1; select (2);)'],
    ],
    ['a parenthesis that is closed too often', 'select 1); select 2', ['select 1)', 'select 2']],
    [
      'the body of a SQL function',
      'create function f() returns int begin atomic select 1; select case when true then 2 end; end; select 2',
      [
        'create function f() returns int begin atomic select 1; select case when true then 2 end; end',
        'select 2',
      ],
    ],
    [
      'the body of a replaced procedure',
      'CREATE OR REPLACE PROCEDURE p() BEGIN\nATOMIC select 1; END; select 2',
      ['CREATE OR REPLACE PROCEDURE p() BEGIN\nATOMIC select 1; END', 'select 2'],
    ],
    ['a transaction', 'begin; select 1; end; commit', ['begin', 'select 1', 'end', 'commit']],
    [
      'a case outside of functions',
      'select case when true then 1 end; select 2',
      ['select case when true then 1 end', 'select 2'],
    ],
    ['copy from a file', 'copy t from $$/tmp/x$$; select 2', ['copy t from $$/tmp/x$$', 'select 2']],
    ['a column named stdin', 'select copy from stdin; select 2', ['select copy from stdin', 'select 2']],
    [
      'rows of copy',
      "-- x\nCOPY t (a) FROM stdin; -- ;\n1;'$$\\.\n\\.\n\n select 2;",
      ['-- x\nCOPY t (a) FROM stdin', 'select 2'],
    ],
    ['Windows line ends', 'select 1;\r\nselect 2;\r\n', ['select 1', 'select 2']],
    [
      'the keys of a dump',
      '-- dump\n\\restrict x1\n\nselect 1;\r\n\\unrestrict x1 \r\n',
      ['-- dump', 'select 1'],
    ],
  ])('splits %s', (_, sql, statements) => {
    expect(textsOf(sql)).toEqual(statements);
  });

  it.each<[string, string, number, RegExp]>([
    ['an unclosed string', "select 1; select 'a", 17, /no closing quote/],
    ['an unclosed escape string', "select E'a\\'", 8, /no closing quote/],
    ['an unclosed continuation', "select E'a'\n'b", 12, /no closing quote/],
    ['an unclosed name', 'select "a', 7, /quoted name has no closing quote/],
    ['an unclosed dollar quote', 'do $a$ $$ $A$', 3, /begins with \$a\$ has no closing \$a\$/],
    ['an unclosed comment', 'select 1 /* /* */', 9, /comment has no closing \*\//],
    ['a command of psql', 'select 1;\n\\connect db', 10, /"\\connect" is a command of psql/],
    [
      'the key of a dump inside of a statement',
      'select\n\\restrict x1\n1',
      7,
      /"\\restrict" is a command of psql/,
    ],
    ['a key with other text', '\\restrict x1 \\connect db', 0, /"\\restrict" is a command of psql/],
    [
      'rows of copy without an end',
      'copy t (a, b) from stdin;\n1\t2\n',
      19,
      /have no end: a line with only \\\. is missing/,
    ],
    ['copy without rows', 'copy t from stdin', 12, /have no end/],
    ['a statement in front of rows', 'copy t from stdin;  select 1;\n1\n\\.', 20, /begin in the next line/],
    ['copy to the terminal', 'COPY (select 1)\nTO /* */ STDOUT', 25, /"copy … to stdout" sends rows/],
  ])('rejects %s', (_, sql, offset, message) => {
    const error = catching(() => splitStatements(sql));
    expect(error).toBeInstanceOf(SqlTextError);
    expect(error).toMatchObject({ offset, message: expect.stringMatching(message) });
  });

  it('returns the place and the first words of each statement', () => {
    const sql = '\n-- note\nCreate Or Replace\nview v as select 1;\n  select 2';
    expect(splitStatements(sql)).toEqual([
      {
        text: '-- note\nCreate Or Replace\nview v as select 1',
        offset: 1,
        codeOffset: 8,
        words: ['create', 'or', 'replace', 'view'],
      },
      { text: 'select 2', offset: 49, codeOffset: 0, words: ['select'] },
    ]);
  });

  it.each<[string, string, string]>([
    ['some rows', '1\t2\n\\N\tx\\ty\n', '\n'],
    ['no rows', '', '\n'],
    ['Windows line ends', '1\r\n', '\r\n'],
  ])('returns the rows of copy: %s', (_, text, lineEnd) => {
    const sql = `copy t from stdin;${lineEnd}${text}\\.${lineEnd}select 2`;
    expect(splitStatements(sql)).toEqual([
      {
        text: 'copy t from stdin',
        offset: 0,
        codeOffset: 0,
        words: ['copy', 't', 'from', 'stdin'],
        rows: { text, offset: 18 + lineEnd.length },
      },
      expect.objectContaining({ text: 'select 2' }),
    ]);
  });

  it('reads strings of many megabytes', () => {
    const long = 'ab\n'.repeat(5_000_000);
    const sql = [`select '${long}'`, `select E'${long}\\''`, `select $$${long}$$`, `select "${long}"`];
    expect(splitStatements(sql.join(';')).map(({ text }) => text.length)).toEqual(
      sql.map(({ length }) => length),
    );
  });
});

describe('piecesOf', () => {
  it('returns pieces that cover any text, or rejects it at an offset inside', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }), (fragments) => {
        const sql = fragments.join('');
        const result = catching(() => piecesOf(sql));
        if (result instanceof SqlTextError) {
          expect(result.offset).toBeGreaterThanOrEqual(0);
          expect(result.offset).toBeLessThan(sql.length);
          return;
        }
        const pieces = result as ReturnType<typeof piecesOf>;
        expect(pieces.map(({ start, end }) => sql.slice(start, end)).join('')).toBe(sql);
        for (const { start, end, rows } of pieces.slice(0, -1))
          expect(sql.slice(start, end)).toMatch(rows ? /\n\\\.\n$/ : /;$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the same pieces in the concatenation of texts that end with a semicolon', () => {
    const complete = fc
      .array(fc.constantFrom(...FRAGMENTS), { maxLength: 12 })
      .map((parts) => `${parts.join('')};`);
    fc.assert(
      fc.property(complete, complete, (first, second) => {
        const parts = catching(() => [piecesOf(first), piecesOf(second)]);
        if (parts instanceof SqlTextError) return;
        const [a, b] = parts as ReturnType<typeof piecesOf>[];
        // A parenthesis or a body may be open at the end of the first text.
        fc.pre(a?.every(({ start, end }) => isClosed(first.slice(start, end))) ?? false);
        expect(piecesOf(first + second).length).toBe((a?.length ?? 0) + (b?.length ?? 0));
      }),
      { numRuns: 2000 },
    );
  });
});

/** Whether more text would begin another piece. */
function isClosed(piece: string): boolean {
  return piecesOf(`${piece}x`).length === 2;
}

function catching<T>(work: () => T): T | unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
