/** Modules that functions import from registries and other hosts: downloaded once, and never without a reason. */
import { hash } from 'node:crypto';
import { loadSettings } from '@greenroom/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionsSettings } from './settings.ts';
import { downloadSources } from './source/download-sources.ts';
import { FunctionsServer } from './testing/functions-server.ts';
import { ModuleHost } from './testing/module-host.ts';

/** Apart, because imports of tests are checked. */
const JSR = 'jsr:';
const NPM = 'npm:';

const FORMER = "export const word = 'former';";

let host: ModuleHost;
let server: FunctionsServer;
/** Has low limits. */
let limited: FunctionsServer;

beforeAll(async () => {
  host = await ModuleHost.open();
  server = await FunctionsServer.open({ files: filesOf(host), settings: host.settings() });
  limited = await FunctionsServer.open({
    files: largeFilesOf(host),
    settings: {
      ...host.settings(),
      GREENROOM_FUNCTIONS_DOWNLOAD_FILE_MB: '1',
      GREENROOM_FUNCTIONS_DOWNLOAD_MB: '2',
    },
  });
}, 30_000);
afterAll(async () => {
  await limited[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

/** Returns a function that responds with a word of a module, and with a variable that it must not see. */
function functionOf(specifier: string): string {
  return `
    import { word } from ${JSON.stringify(specifier)};
    Deno.serve(() => new Response([word, Deno.env.get('JSR_URL'), Deno.env.get('NPM_CONFIG_REGISTRY')].join(' ').trim()));`;
}

/** Returns the functions, for whose imports the host has answers then. */
function filesOf(modules: ModuleHost): Record<string, string> {
  const [name, version] = ['@stand-in/words', '1.2.0'];
  const files = {
    'mod.ts': "export { word } from './word.ts';",
    'word.ts': "export const word: string = 'jsr';",
  };
  modules.addJsrPackage({ name, version, files });
  modules.addJsrPackage({ name: '@stand-in/forged', version, files }, { ...files, 'word.ts': 'original' });
  modules.addNpmPackage({ name: 'stand-in', version, files: { 'index.js': "export const word = 'npm';" } });
  modules.addModule('/words@1/mod.ts', "export { word } from './word.ts';");
  modules.addModule('/words@1/word.ts', "export const word: string = 'https';");
  const elsewhere = modules.addModule('/elsewhere.ts', FORMER).replace('127.0.0.1', 'localhost');
  const locked = modules.addModule('/locked.ts', FORMER);
  const lock = JSON.stringify({ version: '5', remote: { [locked]: hash('sha256', FORMER) } });
  const withLock = (folder: string) => ({
    [`${folder}/index.ts`]: functionOf(locked),
    [`${folder}/deno.json`]: '{}',
    [`${folder}/deno.lock`]: lock,
  });
  return {
    'jsr/index.ts': functionOf(`${JSR}@stand-in/words@1`),
    'npm/index.ts': functionOf(`${NPM}stand-in@^1.0.0`),
    'https/index.ts': functionOf(modules.addRedirect('/words/mod.ts', '/words@1/mod.ts')),
    'forged/index.ts': functionOf(`${JSR}@stand-in/forged@1`),
    'missing-jsr/index.ts': functionOf(`${JSR}@stand-in/missing@1`),
    'missing-npm/index.ts': functionOf(`${NPM}stand-in-missing@1`),
    'missing-https/index.ts': functionOf(`${modules.url}/missing.ts`),
    'elsewhere/index.ts': functionOf(elsewhere),
    'redirected/index.ts': functionOf(modules.addRedirect('/redirected.ts', elsewhere)),
    ...withLock('locked'),
    ...withLock('late'),
  };
}

/** Returns functions that import more than some limits permit. */
function largeFilesOf(modules: ModuleHost): Record<string, string> {
  const moduleOf = (kibibytes: number) => `export const word = 'small'; // ${'x'.repeat(kibibytes * 1024)}`;
  const parts = [1, 2, 3].map((part) => modules.addModule(`/part-${part}.ts`, moduleOf(900)));
  const imports = parts.map(
    (url) => `export { word as ${url.slice(-4, -3).replace(/\d/, 'w$&')} } from "${url}";`,
  );
  const many = modules.addModule('/many.ts', `${imports.join('\n')}\nexport { word } from "${parts[0]}";`);
  modules.addNpmPackage({ name: 'stand-in-large', version: '1.2.0', files: { 'index.js': moduleOf(1100) } });
  return {
    'small/index.ts': functionOf(modules.addModule('/small.ts', moduleOf(900))),
    'large/index.ts': functionOf(modules.addModule('/large.ts', moduleOf(1100))),
    'large-npm/index.ts': functionOf(`${NPM}stand-in-large@1`),
    'many/index.ts': functionOf(many),
    'endless/index.ts': functionOf(modules.addEndless('/endless.ts')),
    'bomb/index.ts': functionOf(modules.addCompressed('/bomb.ts', moduleOf(100 * 1024))),
  };
}

async function failureOf(running: FunctionsServer, name: string): Promise<string> {
  const response = await running.call(name);
  expect([response.status, response.headers.get('sb-error-code')]).toEqual([503, 'BOOT_ERROR']);
  return running.lastFailure() ?? '';
}

async function textOf(running: FunctionsServer, name: string): Promise<string> {
  const response = await running.call(name);
  expect([response.status, response.ok ? '' : running.lastFailure()]).toEqual([200, '']);
  return response.text();
}

it.each(['jsr', 'npm', 'https'])(
  'modules of %s are downloaded from the configured place, of which the function sees nothing',
  async (name) => {
    expect(await textOf(server, name)).toBe(name);
  },
);

it.each([
  ['missing-jsr', /^- jsr:@stand-in\/missing@1: /m, 'copy the module into supabase/functions/_shared'],
  ['missing-npm', /^- npm:stand-in-missing@1: /m, 'npm install "stand-in-missing@1"'],
  ['missing-https', /^- https:.*\/missing\.ts: /m, 'copy the module into supabase/functions/_shared'],
])('the log names an import of %s, and how to replace it', async (name, specifier, alternative) => {
  const failure = await failureOf(server, name);
  expect(failure).toContain(`modules of function ${name} cannot be downloaded`);
  expect(failure).toMatch(specifier);
  expect(failure).toContain(alternative);
});

it.each(['elsewhere', 'redirected'])(
  'a module of a host that is not configured is not requested: %s',
  async (name) => {
    const failure = await failureOf(server, name);
    expect(failure).toContain(host.host.replace('127.0.0.1', 'localhost'));
    expect(failure).toContain('GREENROOM_FUNCTIONS_IMPORT_HOSTS');
    expect(host.requested).not.toContain('/elsewhere.ts');
  },
);

it('a module that has changed since deno.lock was written is refused, and functions that have the former one respond', async () => {
  expect(await textOf(server, 'locked')).toBe('former');
  host.addModule('/locked.ts', "export const word = 'changed';");
  const failure = await failureOf(server, 'late');
  expect(failure).toContain(`${host.url}/locked.ts`);
  expect(failure).toContain('Update deno.lock only for a change that you trust');
  expect(await textOf(server, 'locked')).toBe('former');
});

it('a package whose files differ from the checksums of its registry is refused', async () => {
  expect(await failureOf(server, 'forged')).toContain('whose checksum deno.lock or the registry has');
});

it('a download that does not end is ended, and the log names its imports', async () => {
  await using impatient = await FunctionsServer.open({
    files: { 'waits/index.ts': functionOf(host.addSilent('/silent.ts')) },
    settings: { ...host.settings(), GREENROOM_FUNCTIONS_DOWNLOAD_SECONDS: '1' },
  });
  const failure = await failureOf(impatient, 'waits');
  expect(failure).toContain('the download did not end within 1 s, see GREENROOM_FUNCTIONS_DOWNLOAD_SECONDS');
  expect(failure).toContain(`${host.url}/silent.ts`);
});

it.each([
  ['large', /large\.ts is larger than 1 MiB, see GREENROOM_FUNCTIONS_DOWNLOAD_FILE_MB/],
  [
    'large-npm',
    /stand-in-large\/1\.2\.0\/index\.js is larger than 1 MiB, see GREENROOM_FUNCTIONS_DOWNLOAD_FILE_MB/,
  ],
  ['many', /its modules are larger than 2 MiB together, see GREENROOM_FUNCTIONS_DOWNLOAD_MB/],
  ['endless', /a module or package is larger than 1 MiB, see GREENROOM_FUNCTIONS_DOWNLOAD_FILE_MB/],
  ['bomb', /(?:bomb\.ts|a module or package) is larger than 1 MiB, see GREENROOM_FUNCTIONS_DOWNLOAD_FILE_MB/],
])('a download beyond the limits is ended: %s', async (name, reason) => {
  const failure = await failureOf(limited, name);
  expect(failure).toMatch(reason);
  expect(failure).toMatch(/^Replace these imports:$/m);
});

it('a download below the limits succeeds', async () => {
  expect(await textOf(limited, 'small')).toBe('small');
});

it('settings have priority over the variables of Deno and npm, which count without them', () => {
  const { downloads } = loadSettings(functionsSettings, host.settings());
  const environment = {
    JSR_URL: 'https://jsr.example',
    npm_config_registry: 'http://npm.example',
    DENO_CERT: '/ca',
  };
  const configured = downloadSources(downloads, environment);
  expect(configured.registries).toEqual({
    JSR_URL: `${host.url}/jsr`,
    NPM_CONFIG_REGISTRY: `${host.url}/npm`,
  });
  expect([configured.hosts, configured.caFile]).toEqual([[host.host, host.host], host.caFile]);
  const found = downloadSources(loadSettings(functionsSettings, {}).downloads, environment);
  expect(found.registries).toEqual({
    JSR_URL: 'https://jsr.example',
    NPM_CONFIG_REGISTRY: 'http://npm.example',
  });
  expect([found.hosts, found.caFile]).toEqual([
    expect.arrayContaining(['esm.sh:443', 'jsr.example:443']),
    '/ca',
  ]);
});

describe('without the network', () => {
  beforeAll(() => host.close());

  it('functions that were prepared respond, also after a restart of the server', async () => {
    const names = ['jsr', 'npm', 'https'];
    for (const name of names) expect(await textOf(server, name)).toBe(name);
    await using restarted = await FunctionsServer.open({
      files: filesOf(host),
      settings: host.settings(),
      dataFolder: server.dataFolder,
    });
    for (const name of names) expect(await textOf(restarted, name)).toBe(name);
  });

  it.each([
    [`${JSR}@stand-in/words@1.2`, 'copy the module'],
    [`${NPM}stand-in@1`, 'npm install "stand-in@1"'],
  ])(
    'the first start of a function that imports %s fails, and the log names the alternative',
    async (specifier, alternative) => {
      const name = `new-${specifier.slice(0, 3)}`;
      await using restarted = await FunctionsServer.open({
        files: { [`${name}/index.ts`]: functionOf(specifier) },
        settings: host.settings(),
      });
      const failure = await failureOf(restarted, name);
      expect(failure).toContain(`- ${specifier}: ${alternative}`);
    },
  );
});
