/** `greenroom dev` follows the pages and the configuration of a product. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

const FOREVER = { timeout: 300_000, interval: 100 };
const SETTINGS = {
  LOG_LEVEL: 'error',
  GREENROOM_DATA_ENABLED: 'false',
  GREENROOM_STORAGE_ENABLED: 'false',
  GREENROOM_REALTIME_ENABLED: 'false',
  GREENROOM_FUNCTIONS_ENABLED: 'false',
  GREENROOM_JOBS_ENABLED: 'false',
};
/** Imports the original of a page that it replaces. */
const LOGIN = `
  import Original from 'greenroom/app/routes/login';
  export { action, handle, loader, meta } from 'greenroom/app/routes/login';
  export default (props: any) => <div id="wrapped"><Original {...props} /></div>;`;

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let server: ReturnType<typeof project.spawn>;
let url: string;

beforeAll(async () => {
  project = await createProjectInstance({});
  await rm(join(project.folder, 'supabase'), { recursive: true });
  await write('greenroom.config.ts', `export default { name: 'Todos', languages: ['en'] };`);
  await write('app/routes/_index.tsx', pageWith('first'));
  await write('app/routes/login.tsx', LOGIN);
  server = project.spawn(['dev'], { env: SETTINGS });
  [, url = ''] = /^ready (\S+)$/m.exec(await server.waitFor(/^ready \S+\n/m)) ?? [];
}, FOREVER.timeout);
afterAll(() => project[Symbol.asyncDispose]());

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(project.folder, path)), { recursive: true });
  await writeFile(join(project.folder, path), content);
}

function pageWith(title: string): string {
  return `
    import { Page, PageHeader } from 'greenroom/app';
    export const guard = 'public';
    export default () => <Page><PageHeader title="${title}" /></Page>;`;
}

/** Returns status and text of a page. */
async function read(path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { accept: 'text/html' } });
  return `${response.status} ${await response.text()}`;
}

function becomes(path: string, pattern: RegExp): Promise<void> {
  return expect.poll(() => read(path), FOREVER).toMatch(pattern);
}

/** Connects as the open page of a browser; `next` resolves with the next message of a type. */
async function openPage(path: string) {
  const client = await (await fetch(`${url}/@vite/client`)).text();
  const [, token = ''] = /wsToken = "([^"]+)"/.exec(client) ?? [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  const messages: { type: string }[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(data)));
  await expect.poll(() => messages, FOREVER).toContainEqual({ type: 'connected' });
  expect(await read(path)).toMatch(/^200 /);
  return {
    receives: (type: string) =>
      expect.poll(() => messages, FOREVER).toContainEqual(expect.objectContaining({ type })),
    [Symbol.dispose]: () => socket.close(),
  };
}

describe('greenroom dev with a product', { timeout: FOREVER.timeout }, () => {
  it('serves pages from their sources, and keeps code for the server from browsers', async () => {
    expect(await read('/')).toMatch(/^200 [\s\S]*<title>Todos<[\s\S]*first<\/h1>/);
    expect(await read('/login')).toMatch(/^200 [\s\S]*<div id="wrapped">[\s\S]*name="password"/);
    expect(await read('/routes/login.tsx')).toMatch(/^200 (?![\s\S]*\.server\.ts)[\s\S]*login-form\.tsx/);
  });

  it('follows changed pages, also in open browsers', async () => {
    using page = await openPage(`/@fs${project.folder}/app/routes/_index.tsx`);
    await write('app/routes/_index.tsx', pageWith('second'));
    await page.receives('update');
    await becomes('/', /^200 [\s\S]*second<\/h1>/);
  });

  it('follows added and removed pages', async () => {
    expect(await read('/todos')).toMatch(/^404 /);
    await write('app/routes/todos.tsx', pageWith('list'));
    await becomes('/todos', /^200 [\s\S]*list<\/h1>/);
    expect(await read('/login')).toMatch(/^200 /);
    await rm(join(project.folder, 'app/routes/todos.tsx'));
    await becomes('/todos', /^404 /);
  });

  it('shows the place of a mistake instead of pages, and reloads them when it is corrected', async () => {
    using page = await openPage('/');
    await write('app/routes/_index.tsx', '\nexport default function {');
    await becomes('/', /^500 [\s\S]*cannot be loaded[\s\S]*app\/routes\/_index\.tsx:2:25/);
    expect(await read('/login')).toMatch(/^500 [\s\S]*_index\.tsx:2:25/);
    await server.waitFor(/the pages cannot be loaded: app\/routes\/_index\.tsx:2:25/);
    await write('app/routes/_index.tsx', pageWith('third'));
    await page.receives('full-reload');
    expect(await read('/')).toMatch(/^200 [\s\S]*third<\/h1>/);
  });

  it('reports two files for one route, and stays up', async () => {
    await write('app/routes/index.tsx', pageWith('other'));
    await becomes('/login', /^500 [\s\S]*app\/routes\/_index\.tsx has the same path or name/);
    await rm(join(project.folder, 'app/routes/index.tsx'));
    await becomes('/', /^200 [\s\S]*third<\/h1>/);
  });

  it('follows greenroom.config.ts, and keeps the former values after a mistake', async () => {
    await write('greenroom.config.ts', `export default { name: 'Lists', languages: ['en'] };`);
    await becomes('/', /<title>Lists</);
    await write('greenroom.config.ts', `export default { nam: 'Notes' };`);
    await server.waitFor(/greenroom\.config\.ts: nam="Notes" is not allowed\. Allowed: one of the keys name/);
    expect(await read('/')).toMatch(/^200 [\s\S]*<title>Lists</);
    await write('greenroom.config.ts', `export default { name: 'Notes', languages: ['en'] };`);
    await becomes('/', /<title>Notes</);
  });

  it('stops on a signal', async () => {
    await project.stop();
    expect(server.child.exitCode).toBe(0);
  });
});
