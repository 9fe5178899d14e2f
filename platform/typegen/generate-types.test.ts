import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, freePort, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateTypes, type TypesRequest } from './generate-types.ts';
import { LANGUAGES, type Language } from './language.ts';
import { libraryTypes } from './testing/library-types.ts';
import { createDatabaseOf, SCHEMAS, SCHEMAS_FOLDER } from './testing/schemas.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const run = promisify(execFile);

type Texts = Readonly<Record<Language, string>>;

const request = (changes: Partial<TypesRequest> = {}): TypesRequest => ({
  language: 'typescript',
  schemas: ['public'],
  skipsMissing: false,
  timeoutMs: 60_000,
  swiftAccessControl: 'internal',
  ...changes,
});

/** The generated texts, and those of the library, by folder. */
const generated = new Map<string, { own: Texts; ofLibrary: Texts }>();

beforeAll(async () => {
  for (const [folder, schemas] of Object.entries(SCHEMAS)) {
    const { ownerUrl, drop } = await createDatabaseOf(folder);
    const texts = await Promise.all(
      LANGUAGES.map(async (language) => [
        language,
        await generateTypes(ownerUrl, request({ language, schemas })),
      ]),
    );
    generated.set(folder, {
      own: Object.fromEntries(texts),
      ofLibrary: await libraryTypes(ownerUrl, schemas),
    });
    await drop();
  }
});

const FOLDERS = Object.keys(SCHEMAS);
const textOf = (folder: string, language: Language) => generated.get(folder)?.own[language] ?? '';

describe('the types of a schema', () => {
  it.each(FOLDERS.flatMap((folder) => LANGUAGES.map((language) => [folder, language] as const)))(
    'equal those of the library: %s, %s',
    (folder, language) => {
      const { own, ofLibrary } = generated.get(folder) ?? {};
      expect(own?.[language]).toBe(ofLibrary?.[language]);
      expect(own?.[language]).toMatch(/\w/);
    },
  );

  it('compile together with the official client, and give queries their types', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-types-'));
    try {
      await cp(SCHEMAS_FOLDER, folder, { recursive: true });
      await symlink(MODULES, join(folder, 'node_modules'));
      for (const name of FOLDERS) await writeFile(join(folder, name, 'types.ts'), textOf(name, 'typescript'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
      const compiler = join(MODULES, '.bin', 'tsc');
      const errors = await run(compiler, ['-p', folder]).then(
        () => '',
        ({ stdout }) => stdout,
      );
      expect(errors).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are valid Python', async ({ skip }) => {
    const check = 'import ast, sys; ast.parse(sys.argv[1])';
    await run('python3', ['-c', check, '']).catch(() => skip('python3 is not installed'));
    // The library does not rename columns such as `class` in Python.
    for (const folder of FOLDERS.filter((name) => name !== 'names'))
      await run('python3', ['-c', check, textOf(folder, 'python')]);
  });
});

const COMPILER_OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

describe('types', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.run('create schema other; create table other.thing (id int primary key);');
  });
  afterAll(() => database.drop());

  it('leave out schemas that do not exist, if those are optional', async () => {
    const schemas = ['nowhere', 'other'];
    const text = await generateTypes(database.url, request({ schemas, skipsMissing: true }));
    expect(text).toContain('thing: {');
    expect(text).not.toContain('nowhere');
  });

  it('contain nothing if no optional schema exists', async () => {
    const text = await generateTypes(database.url, request({ schemas: ['nowhere'], skipsMissing: true }));
    expect(text).not.toContain('thing');
  });

  it('have the requested access level in Swift', async () => {
    const text = (swiftAccessControl: TypesRequest['swiftAccessControl']) =>
      generateTypes(database.url, request({ language: 'swift', schemas: ['other'], swiftAccessControl }));
    expect(await text('internal')).toContain('internal enum');
    expect(await text('public')).toContain('public enum');
  });

  it('are refused for unknown schemas, with the names of the others', async () => {
    const schemas = ['other', 'nowhere', 'pg_catalog'];
    await expect(generateTypes(database.url, request({ schemas }))).rejects.toThrow(
      /^the database has no schemas nowhere, pg_catalog\. Its schemas: auth, .*other, .*public/,
    );
  });

  it('are refused if reading takes longer than the timeout', async () => {
    await database.admin.transaction(async (tx) => {
      await tx.query({ text: 'lock table pg_description in access exclusive mode' });
      await expect(generateTypes(database.url, request({ timeoutMs: 300 }))).rejects.toThrow(
        'reading the schemas took longer than the timeout of 0.3 seconds',
      );
    });
  });

  it('are refused without a server, and the message has no password', async () => {
    const port = await freePort();
    const url = `postgresql://ada:secret@127.0.0.1:${port}/postgres`;
    await expect(generateTypes(url, request())).rejects.toThrow(
      `cannot connect to 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  it('are refused for a wrong password', async () => {
    const url = new URL(database.ownerUrl);
    url.password = 'wrong';
    await expect(generateTypes(url.href, request())).rejects.toThrow(
      `cannot connect to ${url.host}: password authentication failed for user "postgres"`,
    );
  });
});
