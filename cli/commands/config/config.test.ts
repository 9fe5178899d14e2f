/** `greenroom config` in the folder of a project, in a separate process. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../main.ts');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Output {
  code: number | string | null;
  lines: string[];
  errors: string[];
}

/** Runs the command without the settings of this process. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Output> {
  const { PATH } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [MAIN, 'config', ...args],
      { cwd: folder, env: { PATH, ...env } },
      (error, out, err) => {
        resolve({ code: error?.code ?? 0, lines: out.trim().split('\n'), errors: err.trim().split('\n') });
      },
    );
  });
}

async function writeConfig(text: string): Promise<void> {
  await mkdir(join(folder, 'supabase'), { recursive: true });
  await writeFile(join(folder, 'supabase/config.toml'), text);
}

describe('greenroom config', () => {
  it('prints every setting with its origin, and masks secrets', async () => {
    await writeConfig(`[auth]\njwt_expiry = 50\njwt_secret = "${'s'.repeat(32)}"\njwt_expire = 1\n`);
    await writeFile(join(folder, '.env'), 'GOTRUE_JWT_AUD=here\n');
    const { code, lines, errors } = await run([], { PORT: '5' });
    expect(code).toBe(0);
    expect(lines).toEqual(
      expect.arrayContaining([
        'PORT="5"  # environment',
        'HOST="127.0.0.1"  # default',
        'GREENROOM_JWT_SECRET=********  # supabase/config.toml:3 auth.jwt_secret',
        'GOTRUE_JWT_AUD="here"  # .env',
        'GOTRUE_JWT_EXP="50"  # supabase/config.toml:2 auth.jwt_expiry',
        'GOTRUE_SMTP_MAX_FREQUENCY="1s"  # default of supabase/config.toml auth.email.max_frequency',
        'DATABASE_URL=  # default',
      ]),
    );
    expect(errors).toEqual([
      expect.stringContaining('warning: supabase/config.toml:4: the key auth.jwt_expire'),
    ]);
    expect([...lines, ...errors].join()).not.toContain('sss');
  });

  it('prints variables of the app of the project as a note', async () => {
    await writeConfig('');
    await writeFile(join(folder, '.env'), 'PORT=3000\nSUPABASE_URL=https://x.example\n');
    const { code, lines, errors } = await run(['diff']);
    expect(code).toBe(0);
    expect(lines.filter((line) => /^(?:PORT|SUPABASE_URL)=/.test(line))).toEqual([]);
    expect(errors).toEqual([
      'note: .env: PORT and SUPABASE_URL are not read as settings, because variables that do not begin with GREENROOM_, GOTRUE_ or PGRST_ belong to the app of the project. Settings in supabase/config.toml: api.port (instead of PORT).',
    ]);
  });

  it('prints with diff only what differs from the defaults', async () => {
    expect((await run(['diff'])).lines).toEqual(['no setting differs from its default']);
    expect((await run(['diff'], { PORT: '5', HOST: '127.0.0.1' })).lines).toEqual([
      'PORT="5" (default: "54321")  # environment',
    ]);
  });

  it('reads the project of another folder', async () => {
    await writeConfig('auth.jwt_expiry = 50');
    const { lines } = await run(['diff', '--project', folder], { LOG_LEVEL: 'info' });
    expect(lines).toContain(
      'GOTRUE_JWT_EXP="50" (default: "3600")  # supabase/config.toml:1 auth.jwt_expiry',
    );
  });

  it('prints the values of greenroom.config.ts with their origin', async () => {
    await writeConfig('');
    await writeFile(
      join(folder, 'greenroom.config.ts'),
      `export default { name: 'Todos', redirects: { '/old': '/new' } };`,
    );
    const { code, lines } = await run(['diff']);
    expect(code).toBe(0);
    expect(lines).toEqual(
      expect.arrayContaining([
        'GREENROOM_REDIRECTS="/old=/new" (default: "")  # greenroom.config.ts redirects',
        'name="Todos"  # greenroom.config.ts',
      ]),
    );
  });

  it('has this server as site of a product, and the default of config.toml as that of other projects', async () => {
    await writeConfig('');
    const site = expect.stringMatching(/^GOTRUE_SITE_URL="http:\/\/127\.0\.0\.1:3000"/);
    expect((await run(['diff'])).lines).toContainEqual(site);
    await writeFile(join(folder, 'greenroom.config.ts'), 'export default {};');
    expect((await run(['diff'])).lines).not.toContainEqual(site);
  });

  it('rejects redirects in both greenroom.config.ts and a setting', async () => {
    await writeConfig('');
    await writeFile(join(folder, 'greenroom.config.ts'), `export default { redirects: { '/old': '/new' } };`);
    const { code, errors } = await run([], { GREENROOM_REDIRECTS: '/a=/b' });
    expect([code, errors]).toEqual([
      1,
      [
        'error: environment: GREENROOM_REDIRECTS="/a=/b" is not allowed. ' +
          'Allowed: the redirects in one place; the key redirects of greenroom.config.ts has some, too',
      ],
    ]);
  });

  it.each([
    [['delete'], '', 'error: unknown command "config delete". Use config or config diff.'],
    [
      [],
      'auth.jwt_expiry = "x"',
      'error: supabase/config.toml:1: auth.jwt_expiry="x" is not allowed. Allowed: a whole',
    ],
    [[], 'auth = = 1', 'error: supabase/config.toml:1:8: this is not valid TOML:'],
    [['--remote', 'x'], '', 'error: supabase/config.toml has no remote "x". Remotes of the file: none.'],
    [['--project', 'nowhere'], '', 'nowhere is not a project'],
  ])('%j fails for the config.toml %j: %s', async (args, text, message) => {
    await writeConfig(text);
    const { code, errors } = await run(args);
    expect([code, errors.length]).toEqual([1, 1]);
    expect(errors[0]).toContain(message);
  });
});
