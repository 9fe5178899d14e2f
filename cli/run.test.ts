/** Command lines: the command that each one runs, and the errors of those that run none. */
import { describe, expect, it } from 'vitest';
import type { CommandInput, Program } from './definition.ts';
import { defineCommand } from './definition.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { PROGRAM, run } from './run.ts';
import { captureOutput } from './testing/capture-output.ts';

const printed = captureOutput();

/** A program whose commands record their input. */
function testProgram(): { program: Program; received: Omit<CommandInput, 'program'>[] } {
  const received: Omit<CommandInput, 'program'>[] = [];
  const record = async ({ program: _, ...input }: CommandInput, code: number) => {
    received.push(input);
    return code;
  };
  const commands = [
    defineCommand({
      path: ['things', 'list'],
      summary: 'List things',
      isDefault: true,
      options: {
        format: {
          value: 'format',
          short: 'f',
          choices: ['text', 'json'],
          default: 'text',
          summary: 'Format',
        },
        limit: { value: 'n', integerFrom: 2, default: '7', summary: 'Limit' },
        tag: { value: 'name', isRepeatable: true, summary: 'Tags' },
        'no-colour': { summary: 'Without colours' },
        deep: { isNegatable: true, summary: 'Depth' },
        all: { summary: 'All' },
      },
      arguments: [{ name: 'place', summary: 'Places', isVariadic: true }],
      examples: [{ line: 'things list here', summary: 'List some things' }],
      run: (input) => record(input, 0),
    }),
    defineCommand({
      path: ['things', 'count'],
      summary: 'Count things',
      options: {},
      examples: [],
      run: (input) => record(input, 3),
    }),
    ...['one', 'two'].map((name) =>
      defineCommand({
        path: ['other', name],
        summary: 'Other',
        options: {},
        examples: [],
        run: (input) => record(input, 0),
      }),
    ),
  ];
  return {
    program: {
      commands,
      groups: { things: 'Manage things', other: 'Others' },
      globalOptions: GLOBAL_OPTIONS,
    },
    received,
  };
}

describe('a command line', () => {
  const DEFAULTS = {
    format: 'text',
    limit: 7,
    tag: undefined,
    'no-colour': false,
    deep: undefined,
    all: false,
  };

  it.each<[string[], Record<string, unknown>, string[], Record<string, unknown>]>([
    [['things'], {}, [], {}],
    [['things', 'list', 'a', 'b'], {}, ['a', 'b'], {}],
    [['things', 'list', '-f', 'json', '--limit=2'], { format: 'json', limit: 2 }, [], {}],
    [['things', 'list', '--tag', 'a', '--tag=b', 'c'], { tag: ['a', 'b'] }, ['c'], {}],
    [
      ['things', 'list', '--no-colour', '--all', '--deep'],
      { 'no-colour': true, all: true, deep: true },
      [],
      {},
    ],
    [['things', 'list', '--no-deep'], { deep: false }, [], {}],
    [['things', 'list', '--', '--all', '-x'], {}, ['--all', '-x'], {}],
    [['things', 'list', '--all', '--', '--deep'], { all: true }, ['--deep'], {}],
    [['things', 'list', '--project', 'demo'], {}, [], { project: { project: 'demo' } }],
    [
      ['--project=a=b', 'things', 'list', '--remote', 'x'],
      {},
      [],
      { project: { project: 'a=b', remote: 'x' } },
    ],
    [['things', '--workdir', 'demo', 'list'], {}, [], { project: { project: 'demo' } }],
    [['things', 'list', '--workdir', 'a', '--project', 'a'], {}, [], { project: { project: 'a' } }],
    [['things', '--local', '--yes', '--debug'], {}, [], { isConfirmed: true, isDebug: true }],
  ])('%j is parsed', async (args, options, operands, others) => {
    const { program, received } = testProgram();
    expect([await run(args, { program }), printed.errors]).toEqual([0, '']);
    expect(received).toEqual([
      {
        options: { ...DEFAULTS, ...options },
        operands,
        project: {},
        isConfirmed: false,
        isDebug: false,
        ...others,
      },
    ]);
  });

  it('has the exit code of its command', async () => {
    expect(await run(['things', 'count'], { program: testProgram().program })).toBe(3);
  });

  it.each<[string[], number, string]>([
    [
      ['thingz'],
      2,
      'error: unknown command "thingz". Did you mean things? Run "greenroom help" for usage.\n',
    ],
    [
      ['--project', 'things', 'thingz', 'things'],
      2,
      'error: unknown command "thingz". Did you mean things? Run "greenroom help" for usage.\n',
    ],
    [['xyz'], 2, 'error: unknown command "xyz". Run "greenroom help" for usage.\n'],
    [['--alll'], 2, 'error: Unknown option \'--alll\'.\nRun "greenroom help" for usage.\n'],
    [
      ['other', 'on'],
      1,
      'error: unknown command "other on". Did you mean other one? Use other one or other two.\n',
    ],
    [['other', 'x'], 1, 'error: unknown command "other x". Use other one or other two.\n'],
    [
      ['things', 'list', '--al'],
      1,
      "error: Unknown option '--al'. Did you mean --all?\nuse: greenroom things list [options] [place...]\n",
    ],
    [
      ['things', 'count', '--projec=x'],
      1,
      "error: Unknown option '--projec'. Did you mean --project?\nuse: greenroom things count\n",
    ],
    [['things', 'count', 'x'], 1, "error: Unexpected argument 'x'\nuse: greenroom things count\n"],
    [
      ['things', 'list', '-f'],
      1,
      "error: Option '-f, --format <value>' argument missing\nuse: greenroom things list [options] [place...]\n",
    ],
    [
      ['things', 'list', '--tag', '--all'],
      1,
      "error: Option '--tag <value>' argument missing\nuse: greenroom things list [options] [place...]\n",
    ],
    [
      ['things', 'list', '-f', 'xml'],
      1,
      'error: --format="xml" is not allowed. Allowed: text, json.\nuse: greenroom things list [options] [place...]\n',
    ],
    [
      ['things', 'list', '--limit', '1'],
      1,
      'error: --limit="1" is not allowed. Allowed: a whole number from 2.\nuse: greenroom things list [options] [place...]\n',
    ],
    [
      ['things', '--project'],
      1,
      'error: Option \'--project <value>\' argument missing\nRun "greenroom help" for usage.\n',
    ],
    [['things', '--project', '--remote', 'x'], 1, "error: Option '--project <value>' argument missing\n"],
    [['things', '--remote='], 1, 'error: --remote requires a value, e.g. --remote <name>.\n'],
    [['things', '--project', 'a', '--workdir', 'b'], 1, 'error: use either --project or --workdir.\n'],
    [['things', '--linked'], 1, 'error: --linked names a project that is linked to the hosted service'],
  ])('%j ends with %i and one message', async (args, code, message) => {
    const { program, received } = testProgram();
    expect(await run(args, { program })).toBe(code);
    expect(printed.errors).toContain(message);
    expect([printed.output, received]).toEqual(['', []]);
  });
});

describe('the help', () => {
  it('is printed without a command, by help and by --help, and names all commands', async () => {
    expect(await run([])).toBe(0);
    const help = printed.output;
    for (const args of [['help'], ['--help'], ['-h']]) {
      printed.output = '';
      expect([await run(args), printed.output, printed.errors]).toEqual([0, help, '']);
    }
    for (const name of new Set(PROGRAM.commands.map(({ path }) => path[0])))
      expect(help).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(help).not.toContain('\u001b');
  });

  it.each(PROGRAM.commands.map(({ path, ...definition }) => ({ name: path.join(' '), path, ...definition })))(
    'of $name has its usage, its options and examples that can be parsed',
    async ({ name, path, options, examples, summary }) => {
      expect([await run([...path, '--help']), printed.errors]).toEqual([0, '']);
      expect(printed.output).toContain(`Usage: greenroom ${name}`);
      // Lines are wrapped.
      expect(printed.output.replace(/\s+/g, ' ')).toContain(summary);
      for (const option of Object.keys(options)) expect(printed.output).toContain(`--${option}`);
      expect(examples.length).toBeGreaterThan(0);
      for (const { line } of examples) expect(await runs(line)).toBe(name);
      const whole = printed.output;
      printed.output = '';
      expect([await run(['help', ...path]), printed.output]).toEqual([0, whole]);
    },
  );

  it('of a group is printed as an error if a subcommand is missing', async () => {
    expect(await run(['db'])).toBe(1);
    expect([printed.output, printed.errors]).toEqual([
      '',
      expect.stringContaining('Usage: greenroom db <command>'),
    ]);
  });
});

/** Returns the name of the command that a line of an example runs, without running it. */
async function runs(line: string): Promise<string | undefined> {
  let name: string | undefined;
  const commands = PROGRAM.commands.map((definition) => ({
    ...definition,
    async run() {
      name = definition.path.join(' ');
      return 0;
    },
  }));
  const [command = ''] = line.split(/ [<>|] /);
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  );
  await run(words, { program: { ...PROGRAM, commands } });
  return name;
}

it('prints the version', async () => {
  for (const args of [['version'], ['--version'], ['-v']]) expect(await run(args)).toBe(0);
  expect(printed.output).toMatch(/^(greenroom \d+\.\d+\.\d+\n){3}$/);
});
