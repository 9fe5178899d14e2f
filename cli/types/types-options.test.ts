import { describe, expect, it } from 'vitest';
import { genTypes } from '../commands/gen/types.command.ts';
import { createProgram } from '../parse/create-program.ts';
import { readTypesOptions, type TypesOptions } from './types-options.ts';

/** Parses the arguments of `gen types`. */
function parsed(args: readonly string[]): TypesOptions | undefined {
  let options: TypesOptions | undefined;
  const program = { commands: [genTypes], groups: {}, globalOptions: {} };
  const parser = createProgram(program, (_, { options: values, operands }) => {
    options = readTypesOptions({ ...values, operands });
    return Promise.resolve();
  });
  parser.parse(['gen', 'types', ...args], { from: 'user' });
  return options;
}

describe('options of gen types', () => {
  it('have defaults', () => {
    expect(parsed([])).toEqual({
      language: 'typescript',
      schemas: undefined,
      timeoutMs: 15_000,
      swiftAccessControl: 'internal',
      databaseUrl: undefined,
      output: undefined,
      watches: false,
    });
  });

  it.each([
    [['go'], { language: 'go' }],
    [['--lang', 'python'], { language: 'python' }],
    [['typescript', '--lang=typescript'], { language: 'typescript' }],
    [['swift', '--swift-access-control', 'public'], { swiftAccessControl: 'public' }],
    [['-s', 'a, b', '--schema', 'b,c'], { schemas: ['a', 'b', 'c'] }],
    [['--query-timeout', '1m30s'], { timeoutMs: 90_000 }],
    [['--watch', '-o', 'a.ts'], { watches: true, output: 'a.ts' }],
    [['--db-url', 'postgres://ada@example.org/db'], { databaseUrl: 'postgres://ada@example.org/db' }],
  ])('%j are accepted', (args, options) => {
    expect(parsed(args)).toMatchObject(options);
  });

  it.each([
    [['--lang', 'rust'], '--lang="rust" is not allowed. Allowed: typescript, go, python, swift.'],
    [['dart'], 'types for Dart are not available: the library that generates the types has typescript, go,'],
    [['--lang', 'dart'], 'types for Dart are not available'],
    [['go', '--lang', 'python'], 'use either the argument go or --lang python.'],
    [['go', 'python'], "Unexpected argument 'python'"],
    [['--schema', 'a,,b'], '--schema requires names of schemas'],
    [
      ['--query-timeout', '15'],
      '--query-timeout="15" is not allowed. Allowed: a positive duration such as 10s',
    ],
    [['--query-timeout', '999999h'], '--query-timeout="999999h" is not allowed.'],
    [
      ['--swift-access-control', 'open'],
      '--swift-access-control="open" is not allowed. Allowed: internal, public.',
    ],
    [['--watch'], '--watch requires --output <file>'],
    [['--output', ''], '--output requires the path of a file'],
    [['--db-url', 'http://ada:secret@a'], '--db-url requires a connection URL, e.g. postgresql://'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('%j are rejected', (args, message) => {
    const error = (() => {
      try {
        parsed(args);
        return '';
      } catch (thrown) {
        return (thrown as Error).message;
      }
    })();
    expect(error).toContain(message);
    expect(error).not.toContain('secret');
  });
});
