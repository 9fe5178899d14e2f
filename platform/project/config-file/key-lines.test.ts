import { describe, expect, it } from 'vitest';
import { findKeyLines } from './key-lines.ts';

describe('findKeyLines', () => {
  const { lineOf } = findKeyLines(`# first line
project_id = "x" # [not.a.table]

[api]
port = 1
"max rows" = 2
schemas = [
  "a", # ] comment
  "b]",
]
text = """
port = 9
"""" # the content ends with a quote
literal = '''
[api.no]
'''
after = 1
tls.enabled = true

[ "quoted.name" . 'x' ]
inline = { one = 1, two = { three = "}" } }
[[rules]]
name = "a"
`);

  it.each([
    [['project_id'], 2],
    [['api'], 4],
    [['api', 'port'], 5],
    [['api', 'max rows'], 6],
    [['api', 'schemas'], 7],
    [['api', 'text'], 11],
    [['api', 'literal'], 14],
    [['api', 'after'], 17],
    [['api', 'tls', 'enabled'], 18],
    [['api', 'tls'], 18],
    [['quoted.name', 'x', 'inline', 'two', 'three'], 21],
    [['rules', 'name'], 23],
  ])('finds %j in line %i', (path, line) => {
    expect(lineOf(path)).toBe(line);
  });

  it('returns the line of the table for a key that is missing, and 1 without a table', () => {
    expect(lineOf(['api', 'enabled'])).toBe(4);
    expect(lineOf(['studio', 'port'])).toBe(1);
  });
});
