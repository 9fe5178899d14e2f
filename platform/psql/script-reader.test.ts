import { describe, expect, it } from 'vitest';
import { ScriptReader } from './script-reader.ts';
import { ScriptText } from './script-text.ts';

async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

/** Returns the items of a script, with the rows of each statement that has rows. */
async function itemsOf(text: string, size = text.length || 1): Promise<unknown[]> {
  const reader = new ScriptReader(new ScriptText(piecesOf(text, size), size), 'a.sql');
  const items: unknown[] = [];
  for (;;) {
    const item = await reader.next();
    if (item === undefined) return items;
    if (item.kind === 'command') {
      items.push([`\\${item.name}`, item.argumentText, item.line, ...(item.query ? [item.query] : [])]);
      continue;
    }
    items.push([item.text, item.line]);
    if (!item.hasRows) continue;
    let rows = '';
    for await (const piece of reader.rows()) rows += piece;
    items.push(rows);
  }
}

const ROWS: [string, string, unknown[]][] = [
  ['nothing', ' \n-- only a comment', []],
  [
    'statements',
    'select 1;\n\nselect\n2;',
    [
      ['select 1', 1],
      ['select\n2', 3],
    ],
  ],
  ['a statement without a semicolon at the end', 'select 1', [['select 1', 1]]],
  ['empty statements', ';;\n;select 1;', [['select 1', 2]]],
  ['comments in front of a statement', '-- a;\n/* b; */ select 1;', [['select 1', 2]]],
  ['a mark of byte order', '\uFEFFselect 1;', [['select 1', 1]]],
  [
    'semicolons in quotes',
    `select ';', $$;$$;\nselect 2;`,
    [
      [`select ';', $$;$$`, 1],
      ['select 2', 2],
    ],
  ],
  [
    'a command',
    '\\set a b c\nselect 1;',
    [
      ['\\set', 'a b c', 1],
      ['select 1', 2],
    ],
  ],
  [
    'a command with a carriage return',
    '\\set a b\r\nselect 1;',
    [
      ['\\set', 'a b', 1],
      ['select 1', 2],
    ],
  ],
  ['a command at the end', '\\q', [['\\q', '', 1]]],
  ['a backslash in quotes of an argument', `\\set a '\\'b\\\\'`, [['\\set', `a '\\'b\\\\'`, 1]]],
  [
    'two commands in a line',
    '\\set a 1 \\\\ select 2;',
    [
      ['\\set', 'a 1', 1],
      ['select 2', 1],
    ],
  ],
  [
    'a command that ends a statement',
    'select 1\n as a \\gset x_\nselect 2;',
    [
      ['\\gset', 'x_', 2, { text: 'select 1\n as a', line: 1 }],
      ['select 2', 3],
    ],
  ],
  [
    'a command inside of a statement',
    'select\n\\echo here\n1;',
    [
      ['\\echo', 'here', 2, { text: 'select', line: 1 }],
      ['select\n\n1', 1],
    ],
  ],
  [
    'a statement that is discarded',
    'select \\r\nselect 2;',
    [
      ['\\r', '', 1, { text: 'select', line: 1 }],
      ['select 2', 2],
    ],
  ],
  [
    'rows',
    'copy t from stdin;\n1\ta\\\\b;\n\\.\nselect 2;',
    [['copy t from stdin', 1], '1\ta\\\\b;\n', ['select 2', 4]],
  ],
  ['no rows', 'copy t from stdin;\n\\.\nselect 2;', [['copy t from stdin', 1], '', ['select 2', 3]]],
  ['rows up to the end', 'copy t (a) from stdin;\n1\n\\.', [['copy t (a) from stdin', 1], '1\n']],
  [
    'rows with carriage returns',
    'copy t from stdin;\r\n1\r\n\\.\r\nselect 2;',
    [['copy t from stdin', 1], '1\r\n', ['select 2', 4]],
  ],
];

describe('a script', () => {
  it.each(ROWS)('with %s', async (_, text, items) => {
    expect(await itemsOf(text)).toEqual(items);
  });

  it.each(ROWS)('with %s is the same in pieces of any size', async (_, text, items) => {
    for (let size = 1; size < text.length; size++)
      expect(await itemsOf(text, size), `${size}`).toEqual(items);
  });

  it('has the same items if it is larger than one piece', async () => {
    const rows = '1\tsome text\n'.repeat(20_000);
    const text = `copy t from stdin;\n${rows}\\.\n${'select 1;\n'.repeat(20_000)}`;
    const items = await itemsOf(text, 1000);
    expect(items.slice(0, 2)).toEqual([['copy t from stdin', 1], rows]);
    expect(items).toHaveLength(20_002);
    expect(items.at(-1)).toEqual(['select 1', 40_002]);
  });

  it.each([
    ['a quote without an end', `select 1;\nselect 'a;\n`, 'a.sql, line 2: this string has no closing quote'],
    [
      'a quote of an argument without an end',
      `\n\\set a 'b\n`,
      `a.sql, line 2: the quote ' in \\set has no end`,
    ],
    [
      'rows without an end',
      'copy t from stdin;\n1\n',
      'a.sql, line 2: the rows that begin here have no end: a line with only \\. is missing',
    ],
  ])('with %s is refused with its line', async (_, text, message) => {
    await expect(itemsOf(text)).rejects.toThrow(message);
    await expect(itemsOf(text, 1)).rejects.toThrow(message);
  });
});
