/** The scripts run in their shells, as far as these are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../run.ts';
import { completionNodes } from './nodes.ts';
import { completionScript } from './scripts.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenroom-completion-'));
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder, shell), completionScript(shell, PROGRAM));
});
afterAll(() => rmSync(folder, { recursive: true }));

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** Returns the candidates of bash for the last of these words. */
function completeInBash(words: readonly string[]): string[] {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _greenroom; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', script, 'bash', join(folder, 'bash'), 'greenroom', ...words];
  return execFileSync('bash', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

/** Returns the candidates of fish, without their descriptions. */
function completeInFish(words: readonly string[]): string[] {
  const script = `source ${join(folder, 'fish')}; complete -C ${JSON.stringify(['greenroom', ...words].join(' '))}`;
  const output = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', cwd: folder });
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] ?? '');
}

const ROWS: [string, string[], string[]][] = [
  ['a command', ['sta'], ['start', 'status']],
  ['a subcommand', ['migration', 're'], ['repair']],
  ['a subcommand after an option of all commands', ['--project', 'migration', 'db', 're'], ['reset']],
  ['an option of a command', ['db', 'reset', '--sql'], ['--sql-paths']],
  ['an option of all commands', ['db', 'reset', '--proj'], ['--project']],
  ['a value', ['status', '-o', 'y'], ['yaml']],
  ['a value of a long option', ['migration', 'repair', '--status', 'a'], ['applied']],
  ['an option of the default subcommand', ['list', '--out'], ['--output']],
];

describe('completion', () => {
  it.each([...ROWS, ['a value behind an equals sign', ['status', '--output', '=', 'js'], ['json']]])(
    'in bash completes %s',
    (_, words, expected) => {
      expect(completeInBash(words)).toEqual(expected);
    },
  );

  it('in bash offers all commands, and no other words', () => {
    const names = new Set(PROGRAM.commands.map(({ path }) => path[0]));
    expect(completeInBash(['']).sort()).toEqual([...names, 'help'].sort());
    expect(completeInBash(['migration', 'new', 'x'])).toEqual([]);
  });

  it.skipIf(!isInstalled('fish')).each(ROWS)('in fish completes %s', (_, words, expected) => {
    expect(completeInFish(words).sort()).toEqual(expected);
  });

  it.skipIf(!isInstalled('zsh'))('in zsh is a script without syntax errors', () => {
    execFileSync('zsh', ['-n', join(folder, 'zsh')]);
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])('for %s contains every command and option', (shell) => {
    const script = completionScript(shell, PROGRAM);
    const { nodes, globalFlags } = completionNodes(PROGRAM);
    const words = nodes.flatMap(({ subcommands, flags }) => [...subcommands, ...flags]);
    for (const { word } of [...words, ...globalFlags]) {
      const isFlagOfFish = shell === 'fish' && word.startsWith('-');
      expect(script).toContain(isFlagOfFish ? word.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s ') : word);
    }
  });

  it('for another shell is refused', () => {
    expect(() => completionScript('csh', PROGRAM)).toThrow('Allowed: bash, zsh, fish, powershell.');
  });
});
