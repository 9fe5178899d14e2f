import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GreenroomError, startGreenroom } from 'greenroom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The services that start quickest. */
const SERVICES = ['auth', 'data'] as const;

let folder: string;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-program-'));
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'supabase/migrations'), { recursive: true });
  await writeFile(join(folder, 'supabase/config.toml'), 'project_id = "shop"\n[auth]\njwt_expiry = 120\n');
  await writeFile(
    join(folder, 'supabase/migrations/20260101000000_items.sql'),
    'create table public.items (name text);\ngrant select on public.items to anon;',
  );
  settings = {
    XDG_STATE_HOME: join(folder, 'state'),
    PORT: '0',
    GREENROOM_DB_PORT: '0',
    GREENROOM_MAILBOX_PORT: '0',
    LOG_LEVEL: 'silent',
  };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (changed: Record<string, string> = {}) =>
  startGreenroom({ project: folder, services: SERVICES, settings: { ...settings, ...changed } });

describe('startGreenroom', () => {
  it('starts the instance of a project from a program, with its addresses and keys', async () => {
    const lines: string[] = [];
    const greenroom = await startGreenroom({
      project: folder,
      services: SERVICES,
      settings,
      onLine: (line) => lines.push(line),
    });
    try {
      const { apiUrl, anonKey, publishableKey, databaseUrl, mailboxUrl, dataFolder } = greenroom;
      const headers = { apikey: anonKey, authorization: `Bearer ${anonKey}` };
      const response = await fetch(`${apiUrl}/rest/v1/items`, { headers });
      expect(await response.json()).toEqual([]);
      expect(publishableKey).toMatch(/^sb_publishable_/);
      expect(databaseUrl).toMatch(/^postgresql:\/\/postgres:/);
      expect((await fetch(`${mailboxUrl}/api/v1/messages`)).status).toBe(200);
      expect(dataFolder).toBe(join(folder, '.greenroom'));
      expect(lines).toContain(`ready ${apiUrl}`);
    } finally {
      await greenroom.close();
    }
    expect(await greenroom.ended).toEqual({ code: 0, signal: null });
    await expect(fetch(greenroom.apiUrl)).rejects.toThrow();
  });

  it('rejects a wrong setting with the message of the command line', async () => {
    const error = await start({ GOTRUE_JWT_EXP: 'soon' }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(GreenroomError);
    expect(error).toMatchObject({
      reason: 'ConfigError',
      message: 'GOTRUE_JWT_EXP="soon" is not allowed. Allowed: a whole number from 1 to 315360000',
    });
  });

  it('rejects a port that another program holds', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const starting = start({ PORT: String(port) });
    await expect(starting).rejects.toMatchObject({
      reason: 'PortInUseError',
      message: expect.stringContaining(`port ${port} is already in use on 127.0.0.1`),
    });
    server.close();
  });

  it('rejects a folder without a project', async () => {
    const starting = startGreenroom({ project: join(folder, 'absent'), settings });
    await expect(starting).rejects.toThrow('is not a project');
  });

  it('ends a start that its signal aborts', async () => {
    const aborting = new AbortController();
    const starting = startGreenroom({
      project: folder,
      settings,
      services: SERVICES,
      signal: aborting.signal,
      onLine: () => aborting.abort(),
    });
    await expect(starting).rejects.toMatchObject({ reason: 'AbortError' });
  });

  it('stops the instance when the program is killed', async () => {
    const program = `
      import { startGreenroom } from 'greenroom';
      const greenroom = await startGreenroom(${JSON.stringify({ project: folder, services: SERVICES, settings })});
      console.log(greenroom.apiUrl);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [apiUrl] = await once(createInterface({ input: child.stdout }), 'line');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect
      .poll(() =>
        fetch(apiUrl).then(
          () => 'running',
          () => 'stopped',
        ),
      )
      .toBe('stopped');
    // The next start gets the lock of the data folder when the former one has ended.
    await expect
      .poll(() =>
        start().then(
          (each) => each.close(),
          (error: Error) => error.message,
        ),
      )
      .toBeUndefined();
  });
});
