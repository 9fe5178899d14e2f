/** `greenroom logs` on one project. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let url: string;

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': '' });
  await startDetached();
});
afterAll(async () => {
  await project.run(['stop']);
  await project[Symbol.asyncDispose]();
});

async function startDetached(): Promise<void> {
  const args = ['start', '--services', 'auth', '--detach'];
  const { output, errors } = await project.run(args, { env: { LOG_LEVEL: 'info' } });
  url = /^ready (.*)$/m.exec(output)?.[1] ?? '';
  expect(url, errors).not.toBe('');
}

const logs = (...args: string[]) => project.run(['logs', ...args]);

describe('logs', () => {
  it('prints the last lines of the requested services, levels and time', async () => {
    for (const path of ['/auth/v1/health', '/auth/v1/settings', '/other']) await fetch(`${url}${path}`);
    await expect.poll(async () => (await logs()).output).toContain('path=/other');
    const { output } = await logs();
    expect(output).toContain(`[greenroom] ready ${url}\n`);
    expect(output).toMatch(
      /^\d{4}-\S+Z info {2}\[auth\] request reqId=\S+ method=GET path=\/auth\/v1\/health status=401 ms=/m,
    );
    const ofServices = (await logs('--service', 'auth', '--service', 'postgres')).output;
    expect(ofServices).toContain('path=/auth/v1/settings');
    expect(ofServices).not.toMatch(/\[(app|greenroom)\]/);
    expect((await logs('--service', 'auth', '--limit', '1')).output).toMatch(/^\S+ info .*\/settings .*\n$/);
    expect((await logs('--tail', '0')).output).toBe('');
    const recent = (await logs('--since', '1h', '--level', 'info', '--level', 'error')).output;
    expect(recent).toContain('path=/other');
    expect(recent).not.toContain('[greenroom] ready');
    expect((await logs('--level', 'error')).output).toBe('');
    expect((await logs('--since', '2100-01-01')).output).toBe('');
  });

  it('prints an array or one object for each line as JSON', async () => {
    const { output } = await project.run([
      'logs',
      '--output-format',
      'json',
      '--service',
      'auth',
      '--limit',
      '1',
    ]);
    const event = {
      type: 'log-entry',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'info',
      service: 'auth',
      line: expect.stringContaining('"path":"/auth/v1/settings"'),
      message: 'request',
      source: 'history',
    };
    expect(JSON.parse(output)).toEqual([event]);
    const streamed = await logs('--output-format', 'stream-json', '--service', 'auth');
    const lines = streamed.output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toEqual(event);
    expect(await project.run(['logs', '--output-format', 'json', '--follow'])).toMatchObject({
      code: 1,
      errors: 'error: --output-format json prints a complete array. Use stream-json to follow the log.\n',
    });
  });

  it('follows the log until Ctrl-C, also after a restart', async () => {
    const follower = project.follow(['logs', '-f', '--output-format', 'stream-json', '--tail', '0']);
    await expect
      .poll(async () => {
        await fetch(`${url}/auth/v1/health`);
        return follower.printed();
      })
      .toContain('"source":"live"');
    await project.run(['stop']);
    await startDetached();
    await follower.waitFor(new RegExp(`"message":"ready ${url}","source":"live"`));
    follower.child.kill('SIGINT');
    expect(await once(follower.child, 'exit')).toEqual([130, null]);
  });

  it('reports that an instance in the foreground writes no log, and a project that was never started', async () => {
    await project.run(['stop']);
    await project.start();
    const { code, output, errors } = await logs();
    await project.stop();
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^error: the instance on .* was not started in the background\. .*--detach/);
  });
});

describe('the output of a server', () => {
  const json = { LOG_LEVEL: 'debug', GREENROOM_LOG_FORMAT: 'json' };
  const entriesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('is JSON from the first line to the last with GREENROOM_LOG_FORMAT=json, also that of PostgreSQL', async () => {
    const server = project.spawn(['start', '--services', 'auth'], { env: json });
    await server.waitFor(/"msg":"ready /);
    await project.stop();
    const entries = entriesOf(server.printed());
    expect(entries).toContainEqual({
      level: 30,
      time: expect.any(String),
      msg: expect.stringMatching(/^ready /),
    });
    expect(entries).toContainEqual(expect.objectContaining({ level: 20, postgres: expect.any(String) }));
    expect(entries).toContainEqual(expect.objectContaining({ level: 30, msg: 'stopping' }));
  });

  it('is JSON if the start fails, with GREENROOM_LOG_FORMAT=json', async () => {
    const { code, output, errors } = await project.run(['start'], { env: { ...json, PORT: 'x' } });
    expect([code, output]).toEqual([1, '']);
    expect(entriesOf(errors)).toEqual([
      { level: 50, time: expect.any(String), msg: expect.stringContaining('PORT="x" is not allowed') },
    ]);
  });

  it('has log lines for people with GREENROOM_LOG_FORMAT=pretty', async () => {
    const env = { LOG_LEVEL: 'info', GREENROOM_LOG_FORMAT: 'pretty' };
    const text = await project.start([], { env });
    const address = /^ready (.*)$/m.exec(text)?.[1];
    const server = project.printed();
    await fetch(`${address}/other?token=secret`);
    await expect
      .poll(() => project.printed().slice(server.length))
      .toMatch(
        /^\S+Z info {2}\[app\] request reqId=\S+ method=GET path=\/other status=404 ms=\S+ client=127\.0\.0\.1\n/,
      );
    await project.stop();
  });
});
