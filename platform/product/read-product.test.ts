import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PALETTES } from './colours.ts';
import { readProduct } from './read-product.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-product-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(text: string) {
  await writeFile(join(folder, 'greenroom.config.ts'), text);
  return readProduct(folder);
}

async function errorOf(text: string): Promise<string> {
  return read(text).then(
    () => expect.unreachable('the file is valid'),
    (error: Error) => error.message,
  );
}

describe('readProduct', () => {
  it('returns nothing for a folder of another program', async () => {
    await mkdir(join(folder, 'app', 'routes'), { recursive: true });
    expect(await readProduct(folder)).toBeUndefined();
  });

  it('returns the values with their defaults', async () => {
    const product = await read(`
      const name: string = 'Todos';
      export default { name, navigation: [{ path: '/todos', label: 'Todos', icon: 'list-todo' }] };
    `);
    expect(product).toEqual({
      folder,
      appFolder: undefined,
      hasPages: false,
      configFile: 'greenroom.config.ts',
      config: {
        name: 'Todos',
        navigation: [{ path: '/todos', label: 'Todos', icon: 'lucide:list-todo', for: 'signedIn' }],
      },
    });
  });

  it('reads the file again after a change', async () => {
    await read(`export default { name: 'A' };`);
    await writeFile(join(folder, 'greenroom.config.ts'), `export default { name: 'B' };`);
    await utimes(join(folder, 'greenroom.config.ts'), 1, 1);
    expect((await readProduct(folder))?.config.name).toBe('B');
  });

  it.each([
    [`{ nam: 'Todos' }`, 'nam="Todos" is not allowed. Allowed: one of the keys name, logo, colours'],
    [`{ name: 1 }`, 'name="1" is not allowed. Allowed: a value of the type string'],
    [`{ name: ' ' }`, 'name=" " is not allowed. Allowed: string to have >=1 characters'],
    [`{ logo: 'a.svg' }`, 'logo="a.svg" is not allowed. Allowed: a file in app/public'],
    [`{ logo: '../a.svg' }`, 'Allowed: the name of a picture in app/public'],
    [
      `{ colours: { primary: 'bleu' } }`,
      'colours.primary="bleu" is not allowed. Allowed: the name of a palette',
    ],
    [`{ colours: { primary: { 50: 'red;}' } } }`, 'Allowed: the name of a palette'],
    [`{ languages: [] }`, 'Allowed: array to have >=1 items'],
    [`{ languages: ['en', 'fr'] }`, 'languages.1="fr" is not allowed. Allowed: "en", "de"'],
    [`{ languages: ['en', 'en'] }`, 'Allowed: each language once'],
    [
      `{ navigation: [{ path: 'todos', label: 'T', icon: 'x' }] }`,
      'navigation.0.path="todos" is not allowed. Allowed: a path that begins with one slash',
    ],
    [
      `{ navigation: [{ path: '/a', label: { en: 'A' }, icon: 'x' }] }`,
      'Allowed: a text for each language; missing: de',
    ],
    [
      `{ navigation: [{ path: '/a', label: 'A', icon: 'x', keys: 'g h' }] }`,
      'navigation.0.keys="g h" is not allowed. Allowed: keys other than those of built-in shortcuts: ?, t, n, g h, g a, g m, g c, g l, g n',
    ],
    [`{ navigation: [{ path: '/a', label: 'A', icons: 'x' }] }`, 'navigation.0.icons="x" is not allowed'],
    [
      `{ pages: { login: false } }`,
      'pages.login="false" is not allowed. Allowed: one of the keys account, admin',
    ],
    [`{ csp: { scripts: ["'unsafe-inline'"] } }`, 'Allowed: an origin with https or wss'],
    [`{ csp: { scripts: ['https://a.example; img-src *'] } }`, 'Allowed: an origin with https or wss'],
    [`{ redirects: { '/a': '//evil.example' } }`, 'redirects./a="//evil.example" is not allowed'],
    [`{ formats: { timeZone: 'Berlin' } }`, 'formats.timeZone="Berlin" is not allowed. Allowed: a time zone'],
    [`new Map()`, 'is not allowed. Allowed: a value of the type object'],
    [`'Todos'`, 'export default="Todos" is not allowed. Allowed: a value of the type object'],
  ])('rejects %s with the allowed values: %s', async (value, message) => {
    const text = await errorOf(`export default ${value};`);
    expect(text).toContain(message);
    expect(text.split('\n').every((line) => line.startsWith('greenroom.config.ts: '))).toBe(true);
  });

  it.each([
    ['export default {', '', 'Expected'],
    [`const a = 1;\n\nthrow new Error('boom');`, ':3', 'boom'],
    [`\nexport default { name: unknown };`, ':2', 'unknown is not defined'],
    [`\n\nenum Colour { Red }`, ':3', 'TypeScript enum is not supported'],
    [`\nimport { absent } from 'node:fs';`, ':2', 'absent'],
    [`throw 'a text';`, '', 'a text'],
  ])('names the file and the line of %j', async (text, place, reason) => {
    const message = await errorOf(text);
    expect(message).toContain(`${join(folder, 'greenroom.config.ts')}${place}`);
    expect(message).toContain(' cannot be loaded: ');
    expect(message).toContain(reason);
  });

  it.each(['await new Promise(() => {});', 'export default new Promise(() => {});'])(
    'ends the wait for a file that never finishes: %s',
    async (text) => {
      await writeFile(join(folder, 'greenroom.config.ts'), text);
      await expect(readProduct(folder, { timeoutMs: 1 })).rejects.toThrow(
        'cannot be loaded: its top-level await has not finished after 0.001 s.',
      );
    },
  );
});

it('knows palettes that Tailwind CSS has', () => {
  const theme = readFileSync(createRequire(import.meta.url).resolve('tailwindcss/theme.css'), 'utf8');
  const named = [...theme.matchAll(/--color-([a-z]+)-50:/g)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining([...PALETTES]));
});
