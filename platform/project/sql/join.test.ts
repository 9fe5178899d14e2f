import { describe, expect, it } from 'vitest';
import { fileOfStatements, terminatedFile } from './join.ts';
import { splitStatements } from './split.ts';
import { recordedText } from './sql-file.ts';

describe('fileOfStatements', () => {
  it('returns a file with the same statements and rows', () => {
    const sql = 'create table a (id int); -- x\ncopy a from stdin;\n1\n\\.\nselect 1 -- y';
    const statements = splitStatements(sql).map(recordedText);
    expect(splitStatements(fileOfStatements(statements)).map(recordedText)).toEqual(statements);
  });
});

describe('terminatedFile', () => {
  it.each([
    ['a statement', 'select 1', 'select 1;'],
    ['a semicolon', 'select 1;\n', 'select 1;'],
    ['a comment', 'select 1 -- x', 'select 1 -- x\n;'],
    ['rows', 'copy a from stdin;\n1\n\\.\n', 'copy a from stdin;\n1\n\\.'],
    ['no statement', ' ', ''],
  ])('ends a file after %s', (_, sql, expected) => {
    expect(terminatedFile(sql)).toBe(expected);
  });
});
