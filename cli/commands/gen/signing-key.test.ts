/** Signing keys of a project. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../../testing/project-instance.ts';

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({});
});
afterAll(() => project[Symbol.asyncDispose]());

const file = () => join(project.folder, 'supabase', 'signing_keys.json');
const keys = async () => JSON.parse(await readFile(file(), 'utf8')) as Record<string, unknown>[];
const generate = (...args: string[]) => project.run(['gen', 'signing-key', ...args]);

describe('gen signing-key', () => {
  it('prints a key for each algorithm if the project has no file of keys', async () => {
    const { code, output, errors } = await generate();
    expect([code, JSON.parse(output)]).toEqual([
      0,
      expect.objectContaining({
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        key_ops: ['sign', 'verify'],
      }),
    ]);
    expect(errors).toContain('signing_keys_path = "./signing_keys.json"');
    expect(JSON.parse((await generate('--algorithm', 'RS256')).output)).toMatchObject({
      kty: 'RSA',
      alg: 'RS256',
    });
  });

  it('writes the file of the project, with which the instance signs and verifies', async () => {
    await project.write('config.toml', '[auth]\nsigning_keys_path = "./signing_keys.json"\n');
    const { code, output, errors } = await generate();
    const [{ kid } = {}] = await keys();
    expect([code, output]).toEqual([0, '']);
    expect(errors).toMatch(
      new RegExp(`^wrote the key ${kid} to supabase/signing_keys\\.json, which contains 1 key now`),
    );
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    await project.start();
    const token = (await project.run(['gen', 'bearer-jwt', '--role', 'service_role'])).output.trim();
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({ kid });
    const { API_URL, ANON_KEY = '' } = JSON.parse((await project.run(['status', '-o', 'json'])).output);
    const headers = { apikey: ANON_KEY, authorization: `Bearer ${token}` };
    expect((await fetch(`${API_URL}/auth/v1/admin/users`, { headers })).status).toBe(200);
    await project.stop();
  });

  it('asks before it replaces keys, and adds one that only verifies with --append', async () => {
    const [first] = await keys();
    const refused = await generate();
    expect([refused.code, refused.errors]).toEqual([
      1,
      'error: not confirmed; nothing was changed. Answer y, or use --yes.\n',
    ]);
    expect(await keys()).toEqual([first]);
    expect((await generate('--append')).code).toBe(0);
    expect(await keys()).toEqual([first, expect.objectContaining({ key_ops: ['verify'], alg: 'ES256' })]);
    await project.start();
    await project.stop();
    expect((await generate('--yes', '--algorithm', 'RS256')).code).toBe(0);
    expect(await keys()).toEqual([expect.objectContaining({ alg: 'RS256', key_ops: ['sign', 'verify'] })]);
  });

  it('adds nothing to a file that contains no keys', async () => {
    await project.write('signing_keys.json', '{}');
    const { code, errors } = await generate('--append');
    expect([code, errors]).toEqual([1, expect.stringContaining('must be a JSON array of keys')]);
    expect(await readFile(file(), 'utf8')).toBe('{}');
  });
});
