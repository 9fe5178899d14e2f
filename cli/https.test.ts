/** HTTPS of a project: commands that call the running instance, and wrong files in config.toml. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

const CONFIG = '[api.tls]\nenabled = true\n[storage.buckets.images]\nobjects_path = "./images"\n';
const SERVICES = ['--services', 'auth,storage'];

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let server: ReturnType<typeof project.spawn>;

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': CONFIG, 'images/a.txt': 'content' });
  server = project.spawn(['start', ...SERVICES]);
  await server.waitFor(/^ready /m);
});
afterAll(() => project[Symbol.asyncDispose]());

const urlOf = (printed: string) => /(?<=^ready )https:\/\/127\.0\.0\.1:\d+$/m.exec(printed)?.[0] ?? '';

/** Writes a certificate for another machine and its key into `supabase/certs/`. */
async function writeCertificate(): Promise<void> {
  const { cert, key } = createTestCertificate({ hosts: ['example.org'], addresses: [] });
  await project.write('certs/cert.pem', cert);
  await project.write('certs/key.pem', key);
}

/** Runs `seed buckets`, which sends requests to the instance. */
async function expectSeeds(): Promise<void> {
  await project.write('images/a.txt', randomUUID());
  const { code, output, errors } = await project.run(['seed', 'buckets']);
  expect([code, errors]).toEqual([0, '']);
  expect(output).toContain('the buckets are up to date');
}

const withFiles = (cert: string, key: string) =>
  CONFIG.replace('enabled = true', `enabled = true\ncert_path = "${cert}"\nkey_path = "${key}"`);

describe('an instance with a self-signed certificate', () => {
  it('prints its URL and the file that clients have to trust', async () => {
    const path = join(project.folder, '.greenroom/tls-certificate.pem');
    const printed = server.printed();
    expect(printed).toContain(`  certificate ${path} (self-signed, for localhost)\n`);
    const url = urlOf(printed);
    const { output } = await project.run(['status', '-o', 'json']);
    expect(JSON.parse(output).API_URL).toBe(url);
    const listed = JSON.parse((await project.run(['list', '-o', 'json'])).output);
    expect(listed).toMatchObject([{ url }]);

    const script = join(project.folder, 'request.mjs');
    await writeFile(script, `console.log((await fetch('${url}/health/live')).status)`);
    const trusting = await runScript(script, { NODE_EXTRA_CA_CERTS: path });
    expect(trusting).toEqual(['200\n', 0]);
    expect((await runScript(script, {}))[1]).toBe(1);
  });

  it('is called by seed buckets', () => expectSeeds());

  it('is called by storage cp, also with parts of a large file', async () => {
    const [source, copy] = [join(project.folder, 'large.bin'), join(project.folder, 'copy.bin')];
    await writeFile(source, Buffer.alloc(7 * 1024 * 1024, 'x'));
    for (const paths of [
      [source, 'ss:///images/large.bin'],
      ['ss:///images/large.bin', copy],
    ])
      expect(await project.run(['storage', 'cp', ...paths])).toEqual({ code: 0, output: '', errors: '' });
    expect((await readFile(copy)).equals(await readFile(source))).toBe(true);
  });

  it('is recognised on its port by the start of another project', async () => {
    const { port } = new URL(urlOf(server.printed()));
    await using other = await createProjectInstance({ 'config.toml': `[api]\nport = ${port}\n` });
    const printed = await other.start([], { env: { PORT: '' } });
    expect(printed).toMatch(
      new RegExp(`port ${port} is in use by a Greenroom instance, .*; port \\d+ is used`),
    );
  });
});

describe('an instance with the certificate of another machine', () => {
  /** Sends the signal; resolves with the output since then when it matches. */
  async function reload(pattern: RegExp): Promise<string> {
    const before = server.printed().length;
    server.child.kill('SIGHUP');
    return (await server.waitFor(pattern, before)).slice(before);
  }

  beforeAll(async () => {
    await project.stop();
    await writeCertificate();
    await project.write('config.toml', withFiles('./certs/cert.pem', 'certs/key.pem'));
    server = project.spawn(['start', ...SERVICES]);
    await server.waitFor(/^ready /m);
  });

  it('is called by seed buckets, also after its files were replaced', async () => {
    await expectSeeds();
    await writeCertificate();
    await reload(/settings reloaded/);
    await expectSeeds();
  });

  it('keeps its certificate if the new key does not fit', async () => {
    await project.write('certs/key.pem', createTestCertificate().key);
    expect(await reload(/not allowed/)).toContain(
      'error: the settings were not reloaded; the former ones stay active.\nsupabase/config.toml:4: api.tls.key_path="certs/key.pem" is not allowed. Allowed: the private key of the certificate in ',
    );
    await expectSeeds();
  });
});

describe('wrong files in config.toml', () => {
  const error = (line: number, key: string, value: string, allowed: string) =>
    `supabase/config.toml:${line}: api.tls.${key}=${JSON.stringify(value)} is not allowed. Allowed: ${allowed}`;

  beforeAll(async () => {
    await project.stop();
    await writeCertificate();
    await project.write('certs/other-key.pem', createTestCertificate().key);
  });

  it.each([
    [
      'api.tls = { enabled = true, cert_path = "certs/cert.pem" }',
      () => error(1, 'key_path', '', 'the path of a file in PEM (api.tls.cert_path is set)'),
    ],
    [
      withFiles('certs/none.pem', 'certs/key.pem'),
      () => error(3, 'cert_path', 'certs/none.pem', 'the path of a file in PEM (reading it failed: ENOENT)'),
    ],
    [
      withFiles('certs/cert.pem', 'certs/other-key.pem'),
      () =>
        error(
          4,
          'key_path',
          'certs/other-key.pem',
          `the private key of the certificate in ${join(project.folder, 'supabase/certs/cert.pem')}`,
        ),
    ],
    [CONFIG.replace('true', '"yes"'), () => error(2, 'enabled', 'yes', 'true, false')],
  ])('stop the start with the line: %j', async (config, message) => {
    await project.write('config.toml', config);
    const { code, errors } = await project.run(['start', ...SERVICES]);
    expect([code, errors]).toEqual([1, `error: ${message()}\n`]);
  });
});

/** Runs a script in a separate process; resolves with its output and exit code. */
async function runScript(script: string, env: Record<string, string>): Promise<[string, number | null]> {
  const child = spawn(process.execPath, [script], { env: { PATH: process.env.PATH, ...env } });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return [output, code];
}
