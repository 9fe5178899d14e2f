/** A project whose config.toml names its front end, on another port, as site. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { combineLayers, layerOf } from '@greenroom/config';
import { openDatabase } from '@greenroom/postgres';
import { parseConfigFile } from '@greenroom/project/config-file';
import { freePort } from '@greenroom/testing';
import { createClient } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import { allSettings, loadConfig } from './settings.ts';
import { startGreenroom } from './start.ts';

const CONFIG = `
[auth]
site_url = "http://127.0.0.1:3000"
additional_redirect_urls = ["http://127.0.0.1:3000/welcome"]
[auth.email]
enable_confirmations = true
`;

it('gets links in mails that lead through this server to its front end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-site-'));
  await chmod(folder, 0o711);
  const project = { folder, supabaseFolder: join(folder, 'supabase') };
  const file = parseConfigFile(CONFIG, project, { settings: allSettings, variable: () => undefined });
  const own = {
    PORT: String(await freePort()),
    GREENROOM_DB_PORT: '0',
    GREENROOM_MAILBOX_ENABLED: 'false',
    GREENROOM_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
  };
  const layers = [layerOf(own, 'test'), file.values, file.defaults];
  const config = loadConfig(combineLayers(layers, allSettings).source);
  const greenroom = await startGreenroom({ config, pages: 'none' });
  try {
    const client = createClient(greenroom.url, greenroom.backend?.apiKeys.anon ?? '');
    const { data, error } = await client.auth.signUp({ email: 'ada@example.org', password: 'correct horse' });
    expect([error, data.session]).toEqual([null, null]);

    const link = await linkOfMail(greenroom.backend?.databaseUrl ?? '');
    const url = new URL(link);
    expect([url.origin, url.pathname]).toEqual([greenroom.url, '/auth/v1/verify']);
    expect(url.searchParams.get('redirect_to')).toBe('http://127.0.0.1:3000');

    const response = await fetch(link, { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:3000\/?#access_token=/);
  } finally {
    await greenroom.close();
    await rm(folder, { recursive: true, force: true });
  }
});

async function linkOfMail(url: string): Promise<string> {
  const database = openDatabase({ url, max: 1, applicationName: 'test' });
  try {
    const [mail] = await database.query<{ link: string }>({ text: 'select link from greenroom.messages' });
    return mail?.link ?? expect.unreachable('no mail');
  } finally {
    await database.close();
  }
}
