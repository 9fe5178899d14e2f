/** Questions for passphrases, on a terminal of `script`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOrCreateArchive, openStore } from '@greenroom/backup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM_PATH } from '../testing/program-path.ts';
import { createProjectInstance } from '../testing/project-instance.ts';

const SCRIPT = '/usr/bin/script';
const QUESTION = /Passphrase of the (?:new )?archive: $|The same passphrase again: $/;

let project: Awaited<ReturnType<typeof createProjectInstance>>;
/** A folder for archives. */
let place: string;

/** Runs a command on a terminal, and types an answer at each question. Resolves with its code and everything it printed. */
async function runOnTerminal(
  args: readonly string[],
  answers: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const line = [process.execPath, PROGRAM_PATH, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(SCRIPT, ['-qefc', line, '/dev/null'], {
    cwd: project.folder,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', XDG_STATE_HOME: join(project.folder, 'state') },
  });
  const left = [...answers];
  let output = '';
  let unanswered = '';
  child.stdout.on('data', (data) => {
    output += data;
    unanswered += data;
    if (!QUESTION.test(unanswered)) return;
    unanswered = '';
    child.stdin.write(left.shift() ?? '\u0003');
  });
  const [code] = await once(child, 'close');
  return { code, output: output.replaceAll('\r', '') };
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-passphrase-'));
  project = await createProjectInstance({ 'config.toml': '' });
  await openOrCreateArchive(await openStore(join(place, 'archive')), {
    secrets: { passphrase: 'the passphrase' },
    greenroomVersion: '1',
    scryptCost: 2,
  });
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

describe.runIf(existsSync(SCRIPT))('a passphrase that is not given', () => {
  it('is asked for on a terminal, which does not show it', async () => {
    const { code, output } = await runOnTerminal(
      ['backup', 'check', join(place, 'archive')],
      ['the passphrase\r'],
    );
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Passphrase of the archive: \nread 0 backups: /),
    ]);
  });

  it('is not asked for, and nothing is restored, if the archive is not encrypted', async () => {
    const clear = join(place, 'clear');
    await openOrCreateArchive(await openStore(clear), {
      secrets: { noEncryption: true },
      greenroomVersion: '1',
    });
    const { code, output } = await runOnTerminal(
      ['restore', clear, '--into', join(place, 'restored')],
      ['the passphrase\r'],
    );
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^error: the archive in folder \S+ is not encrypted, .* use --no-encryption /),
    ]);
  });

  it('ends the command if it is wrong, or not typed', async () => {
    const args = ['backup', 'check', join(place, 'archive')];
    const wrong = await runOnTerminal(args, ['another\r']);
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('passphrase')]);
    const interrupted = await runOnTerminal(args, []);
    expect([interrupted.code, interrupted.output]).toEqual([
      1,
      expect.stringContaining('interrupted; nothing was changed.'),
    ]);
  });

  it('is asked for twice for a new archive', async () => {
    await project.start();
    await project.stop();
    const args = ['backup', join(place, 'new')];
    const differing = await runOnTerminal(args, ['one\r', 'two\r']);
    expect([differing.code, differing.output]).toEqual([
      1,
      expect.stringContaining('the passphrases differ; nothing was created.'),
    ]);
    expect(existsSync(join(place, 'new'))).toBe(false);
    const created = await runOnTerminal(args, ['one\r', 'one\r']);
    expect([created.code, created.output]).toEqual([0, expect.stringMatching(/\nbackup \d{8}T/)]);
    expect(created.output).not.toContain('one\n');
  });
});
