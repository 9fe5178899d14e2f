/** SIGHUP reads config.toml and the env files of a project again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

type ProjectInstance = Awaited<ReturnType<typeof createProjectInstance>>;

let project: ProjectInstance;
let server: ReturnType<ProjectInstance['spawn']>;

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': '[auth]\njwt_expiry = 3600\n' });
  server = project.spawn(['start', '--services', 'auth']);
  await server.waitFor(/^ready /m);
});
afterAll(() => project[Symbol.asyncDispose]());

/** Sends the signal; resolves with the output since then when it matches. */
async function reload(pattern: RegExp): Promise<string> {
  const before = server.printed().length;
  server.child.kill('SIGHUP');
  return (await server.waitFor(pattern, before)).slice(before);
}

describe('a reload', () => {
  it('names the changes that are applied and those that need a restart, without secrets', async () => {
    await project.write(
      'config.toml',
      `[auth]
jwt_expiry = 60
site_url = "env(SITE)"
[api]
max_rows = 5
external_url = "https://api.example.org"
[auth.captcha]
enabled = true
provider = "hcaptcha"
secret = "confidential"
`,
    );
    await writeFile(join(project.folder, '.env'), 'SITE=https://example.org\n');
    const printed = await reload(/settings reloaded/);
    for (const change of [
      'auth.jwt_expiry: "3600" → "60"',
      'auth.site_url: "http://127.0.0.1:3000" → "https://example.org"',
      'api.max_rows: "1000" → "5"',
      'auth.captcha.secret: unset → ********',
    ]) {
      expect(printed.split('; needs a restart: ')[0]).toContain(change);
    }
    expect(printed).toMatch(/; needs a restart: api.external_url: unset → "https:\/\/api.example.org"\n/);
    expect(printed).not.toContain('confidential');
    const { output } = await project.run(['config', 'diff']);
    expect(output).toMatch(
      /the running instance has other values, until it is restarted: API_EXTERNAL_URL\n/,
    );
  });

  it('names only the changes since the last one, and all that need a restart', async () => {
    await writeFile(join(project.folder, '.env'), 'SITE=https://other.example.org\n');
    expect(await reload(/settings reloaded.*\n/)).toBe(
      '  settings reloaded: auth.site_url: "https://example.org" → "https://other.example.org"; ' +
        'needs a restart: api.external_url: unset → "https://api.example.org"\n',
    );
  });

  it.each([
    ['text that is not TOML', '[auth\n', /supabase\/config.toml:1:\d+: this is not valid TOML/],
    [
      'a wrong value',
      '[auth]\njwt_expiry = "soon"\n',
      /supabase\/config.toml:2: auth.jwt_expiry="soon" is not allowed/,
    ],
  ])('changes nothing if config.toml has %s', async (_, text, message) => {
    await project.write('config.toml', text);
    const printed = await reload(message);
    expect(printed).toMatch(/^error: the settings were not reloaded; the former ones stay active.\n/);
    expect(server.child.exitCode).toBeNull();
  });

  it('waits for the one before it', async () => {
    await project.write('config.toml', '[auth]\njwt_expiry = 61\n');
    const before = server.printed().length;
    server.child.kill('SIGHUP');
    server.child.kill('SIGUSR1');
    const printed = await server.waitFor(/settings reloaded.*\n.*settings reloaded.*\n/, before);
    const [first, second] = printed.slice(before).split('\n');
    expect(first).toMatch(/auth.jwt_expiry: "60" → "61"/);
    expect(second).toBe('  settings reloaded; no value changed');
  });

  it('without changes says so', async () => {
    await project.write('config.toml', '[auth]\njwt_expiry = 60\n');
    await reload(/settings reloaded/);
    expect(await reload(/settings reloaded/)).toBe('  settings reloaded; no value changed\n');
  });
});
