/** The ports of a start before and after the servers listen. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRegistry, stateFolder } from '@greenroom/instances';
import { loadConfig } from '@greenroom/server/settings';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { registerStart } from './register-start.ts';
import { readSettings } from './settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-register-'));
  await mkdir(join(folder, 'supabase'));
  await mkdir(join(folder, '.greenroom'));
  await writeFile(join(folder, 'supabase', 'config.toml'), '[local_smtp]\nport = 0\n');
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
  vi.stubEnv('PORT', '0');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it('leaves port 0 of the mailbox to the system, and registers the ports that the servers listen on', async () => {
  vi.stubEnv('GREENROOM_MAILBOX_SMTP_PORT', '0');
  const settings = await readSettings({ project: folder });
  await using start = await registerStart(settings, loadConfig(settings.source), () => undefined);
  const entryPorts = async () => (await (await openRegistry(stateFolder())).list())[0]?.mailboxPorts;
  expect(start.config.mailbox.ports).toEqual({ http: 0, smtp: 0, pop3: undefined });
  expect(await entryPorts()).toEqual([]);
  await start.markReady({}, { GREENROOM_MAILBOX_PORT: 40_001, GREENROOM_MAILBOX_SMTP_PORT: 40_002 });
  expect(await entryPorts()).toEqual([40_001, 40_002]);
  // The same process starts again after a pause.
  expect(start.config.mailbox.ports).toEqual({ http: 40_001, smtp: 40_002, pop3: undefined });
});
