import { access, chmod, copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../binaries.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../cluster.ts';
import { chooseRunAs } from '../run-as.ts';
import { LIBRARY_SUFFIX } from './find-files.ts';
import { addExtensions, type ExtensionPlaces, listExtensions, removeExtension } from './manage.ts';

let folder: string;
let places: ExtensionPlaces & { project: string };
let server: EmbeddedPostgres;
/** Files to add; empty at the start of each test. */
let source: string;
/** Libraries that are part of PostgreSQL. */
let libraries: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-extensions-'));
  await chmod(folder, 0o711);
  places = {
    added: join(folder, 'extensions'),
    project: join(folder, 'supabase', 'extensions'),
    cluster: join(folder, 'postgres'),
  };
  server = await start();
  const { postgres } = await findBinaries(await chooseRunAs());
  libraries = join(postgres, '..', '..', 'lib', 'postgresql');
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), 'greenroom-source-'));
});
afterEach(async () => {
  await Promise.all(
    [places.added, places.project, source].map((path) => rm(path, { recursive: true, force: true })),
  );
  await server.reload();
});

function start(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    directory: places.cluster,
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
    extensionFolders: [places.added, places.project],
  });
}

/** Runs statements in one transaction of a new connection, and rolls it back; returns the rows of the last one. */
async function query(...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    await client.query('begin');
    for (const text of statements) ({ rows } = await client.query(text));
    return rows;
  } finally {
    await client.end();
  }
}

/** An extension of SQL only. */
async function writeSqlExtension(into: string, name = 'greeting', version = '1.0'): Promise<void> {
  await mkdir(into, { recursive: true });
  await writeFile(join(into, `${name}.control`), `default_version = '${version}'\n`);
  await writeFile(
    join(into, `${name}--${version}.sql`),
    `create function ${name}() returns text language sql as $$ select '${name} ${version}' $$;`,
  );
}

/** An extension with a library: that of pg_trgm, under another name. */
async function writeCompiledExtension(into: string): Promise<void> {
  await writeFile(
    join(into, 'trigram.control'),
    "default_version = '1'\nmodule_pathname = '$libdir/trigram'\n",
  );
  await writeFile(
    join(into, 'trigram--1.sql'),
    "create function likeness(text, text) returns real language c strict as 'MODULE_PATHNAME', 'similarity';",
  );
  await copyFile(join(libraries, `pg_trgm${LIBRARY_SUFFIX}`), join(into, `trigram${LIBRARY_SUFFIX}`));
}

const AVAILABLE = `select name, default_version from pg_available_extensions where name in ('greeting', 'trigram', 'vector') order by 1`;

describe('addExtensions', () => {
  it('makes an extension of SQL available to a running server', async () => {
    await writeSqlExtension(source);
    expect(await addExtensions(places, source)).toEqual({
      extensions: [{ name: 'greeting', version: '1.0' }],
      libraries: [],
      warnings: [],
    });
    expect(await query('create extension greeting', 'select greeting()')).toEqual([
      { greeting: 'greeting 1.0' },
    ]);
  });

  it('makes earlier versions available if the updates from them change nothing', async () => {
    await writeSqlExtension(source, 'greeting', '1.3');
    const empty = '-- complain in psql\n\\echo Use ALTER EXTENSION. \\quit\n';
    const updates = [
      ['1.0--1.1', `${empty}select 1;`],
      ['1.1--1.2', empty],
      ['1.2--1.3', ''],
      ['1.2--ANY', empty],
    ] as const;
    for (const [versions, script] of updates) {
      await writeFile(join(source, `greeting--${versions}.sql`), script);
    }
    await addExtensions(places, source);
    expect(
      await query(
        "create extension greeting version '1.1'",
        "select extversion, greeting() from pg_extension where extname = 'greeting'",
      ),
    ).toEqual([{ extversion: '1.1', greeting: 'greeting 1.3' }]);
    await query("create extension greeting version '1.1'", 'alter extension greeting update');
    await expect(query("create extension greeting version '1.0'")).rejects.toThrow(/no installation script/);
    await expect(
      query("create extension greeting version 'ANY'", 'alter extension greeting update'),
    ).rejects.toThrow(/no update path/);
  });

  it('makes a library available to a running server', async () => {
    await writeCompiledExtension(source);
    expect(await addExtensions(places, source)).toEqual({
      extensions: [{ name: 'trigram', version: '1' }],
      libraries: [`trigram${LIBRARY_SUFFIX}`],
      warnings: [],
    });
    expect(await query('create extension trigram', `select likeness('word', 'word')`)).toEqual([
      { likeness: 1 },
    ]);
  });

  it('accepts an extension that names a library which its scripts do not use', async () => {
    await writeSqlExtension(source);
    await writeFile(
      join(source, 'greeting.control'),
      "default_version = '1.0'\nmodule_pathname = 'greeting'\n",
    );
    await addExtensions(places, source);
    expect(await query('create extension greeting', 'select greeting()')).toEqual([
      { greeting: 'greeting 1.0' },
    ]);
  });

  it('replaces a version that was added before', async () => {
    await writeSqlExtension(source);
    await addExtensions(places, source);
    await writeSqlExtension(source, 'greeting', '2.0');
    await addExtensions(places, source);
    expect(await query('create extension greeting', 'select greeting()')).toEqual([
      { greeting: 'greeting 2.0' },
    ]);
  });

  it('replaces the refusal of an extension that was missing', async () => {
    await writeSqlExtension(source, 'vector', '0.8.0');
    await addExtensions(places, source);
    expect(await query(AVAILABLE)).toEqual([{ name: 'vector', default_version: '0.8.0' }]);
  });

  it.each<[string, () => Promise<void>, RegExp]>([
    ['a folder without extensions', async () => {}, /contains no extension: neither a control file/],
    [
      'an extension without a script',
      () => writeFile(join(source, 'greeting.control'), "default_version = '1'"),
      /greeting\.control: no script greeting--<version>\.sql/,
    ],
    [
      'an extension without its library',
      async () => {
        await writeCompiledExtension(source);
        await rm(join(source, `trigram${LIBRARY_SUFFIX}`));
      },
      /trigram\.control: the library trigram\.\w+ is missing\. Build the extension first/,
    ],
    [
      'an extension whose script names a missing library',
      async () => {
        await writeCompiledExtension(source);
        await rm(join(source, `trigram${LIBRARY_SUFFIX}`));
        await writeFile(
          join(source, 'trigram--1.sql'),
          "create function f(text, text) returns real language c as '$libdir/trigram', 'similarity';",
        );
      },
      /trigram\.control: the library trigram\.\w+ is missing/,
    ],
    [
      'an invalid control file',
      async () => {
        await writeSqlExtension(source);
        await writeFile(join(source, 'greeting.control'), 'default_version');
      },
      /greeting\.control, line 1: syntax error/,
    ],
    [
      'an extension that is part of PostgreSQL',
      () => writeSqlExtension(source, 'pg_trgm'),
      /the extension pg_trgm is part of PostgreSQL and cannot be replaced/,
    ],
    [
      'a link out of the folder',
      async () => {
        await writeSqlExtension(source);
        await symlink('/etc/passwd', join(source, 'greeting--2.sql'));
      },
      /is a link out of the folder/,
    ],
    [
      'a file that is no library',
      async () => {
        await writeCompiledExtension(source);
        await writeFile(join(source, `trigram${LIBRARY_SUFFIX}`), 'text');
      },
      /^trigram\.\w+ cannot be loaded: /,
    ],
    [
      'a library of another program',
      async () => {
        await writeCompiledExtension(source);
        const [other = ''] = (await readdir(join(libraries, '..'))).filter((name) =>
          name.startsWith('libpq.so.5.'),
        );
        await copyFile(join(libraries, '..', other), join(source, `trigram${LIBRARY_SUFFIX}`));
      },
      /^trigram\.\w+ is not an extension of PostgreSQL \(no magic block\)/,
    ],
  ])('rejects %s, and adds nothing', async (_, prepare, message) => {
    await prepare();
    await expect(addExtensions(places, source)).rejects.toThrow(message);
    await expect(access(places.added)).rejects.toThrow();
    expect(await query(AVAILABLE)).toEqual([{ name: 'vector', default_version: 'missing' }]);
  });
});

describe('removeExtension', () => {
  it('removes the files of an extension and its library, and keeps those of others', async () => {
    await writeSqlExtension(source);
    await writeCompiledExtension(source);
    await addExtensions(places, source);
    expect(await removeExtension(places, 'trigram')).toEqual([
      'trigram--1.sql',
      'trigram.control',
      `trigram${LIBRARY_SUFFIX}`,
    ]);
    expect(await query(AVAILABLE)).toEqual([
      { name: 'greeting', default_version: '1.0' },
      { name: 'vector', default_version: 'missing' },
    ]);
  });

  it('keeps a library that another extension uses', async () => {
    await writeCompiledExtension(source);
    await writeSqlExtension(source);
    await writeFile(
      join(source, 'greeting--1.0.sql'),
      "create function f(text, text) returns real language c as '$libdir/trigram', 'similarity';",
    );
    await addExtensions(places, source);
    expect(await removeExtension(places, 'trigram')).toEqual(['trigram--1.sql', 'trigram.control']);
  });

  it('rejects an extension that was not added', async () => {
    await expect(removeExtension(places, 'pg_net')).rejects.toThrow('pg_net is not an added extension');
  });
});

describe('the extensions of a project', () => {
  it('are available after a start, before those that were added', async () => {
    await writeSqlExtension(source, 'greeting', '1.0');
    await addExtensions(places, source);
    await writeSqlExtension(join(places.project, 'greeting'), 'greeting', '2.0');
    await server.stop();
    server = await start();
    expect(await query('create extension greeting', 'select greeting()')).toEqual([
      { greeting: 'greeting 2.0' },
    ]);
  });

  it('are available after a reload, and no longer after their removal', async () => {
    await writeSqlExtension(places.project);
    await server.reload();
    expect(await query(AVAILABLE)).toHaveLength(2);
    await rm(places.project, { recursive: true });
    await server.reload();
    expect(await query(AVAILABLE)).toHaveLength(1);
  });

  it('stop the start if a control file is invalid, with its path and line', async () => {
    await mkdir(places.project, { recursive: true });
    await writeFile(join(places.project, 'bad.control'), '\n\nversion = 1');
    await server.stop();
    await expect(start()).rejects.toThrow(
      `${join(places.project, 'bad.control')}, line 3: unknown parameter "version"`,
    );
    await rm(places.project, { recursive: true });
    server = await start();
  });
});

describe('listExtensions', () => {
  it('returns the source and the version of each extension', async () => {
    await writeSqlExtension(source);
    await addExtensions(places, source);
    await writeSqlExtension(places.project, 'greeting_of_project');
    const listed = await listExtensions(places);
    expect(listed).toEqual(
      expect.arrayContaining([
        { name: 'greeting', version: '1.0', source: 'data folder' },
        { name: 'greeting_of_project', version: '1.0', source: 'project' },
        { name: 'pg_cron', version: '1.6.4', source: 'Greenroom' },
        { name: 'pg_net', version: '0.20.0', source: 'Greenroom' },
        { name: 'vector', version: 'missing', source: 'Greenroom' },
        { name: 'pgcrypto', version: '1.4', source: 'PostgreSQL' },
      ]),
    );
    expect(listed.map(({ name }) => name)).toEqual(listed.map(({ name }) => name).sort());
  });
});

it.runIf(process.platform === 'linux')(
  'finds extensions if the path of the cluster contains a colon',
  async () => {
    const parent = join(folder, 'a:b');
    await mkdir(parent);
    const directory = join(parent, 'postgres');
    const second = await startEmbeddedPostgres({
      directory,
      port: 0,
      portIsFixed: false,
      password: 'test',
      findTemplate: findEmptyCluster,
    });
    const client = new pg.Client({ connectionString: second.url });
    try {
      await client.connect();
      await client.query('create extension pg_net');
      await client.end();
    } finally {
      await second.stop();
    }
  },
);
