/** `greenroom backup` and `greenroom restore`, on a running instance and on its restored data. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ContentSource,
  createBackup,
  openOrCreateArchive,
  openStore,
  physicalSource,
} from '@greenroom/backup';
import { startTestS3 } from '@greenroom/backup/testing';
import { readInstanceRecord } from '@greenroom/data-folder';
import { contentSource } from '@greenroom/server/backup';
import { loadConfig } from '@greenroom/server/settings';
import { openContentStore } from '@greenroom/storage/content-store';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const TABLE = `
create table public.notes (id bigint generated always as identity primary key, text text not null);
insert into storage.buckets (id, name) values ('files', 'files');
`;
const CREDENTIALS = { email: 'ada@example.org', password: 'correct horse battery' };
const LARGE = randomBytes(2_500_000);
const START = ['start', '--services', 'auth,data,storage'];
/** Backups have a lower priority, so on a busy machine they take long. */
const LONG = { timeout: 60_000, interval: 20 };

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let admin: SupabaseClient;
/** A folder for archives, secrets and restored data. */
let place: string;
let archive: string;
let secret: string[];

/** Runs a command as a process, because backups lower the priority of theirs. */
const run = (...args: string[]) => project.run(args, { input: '' });
const backups = async () => JSON.parse((await run('backup', 'list', archive, '-o', 'json')).output).backups;

async function connect(dataFolder: string): Promise<SupabaseClient> {
  const { apiUrl = '', credentials } = (await readInstanceRecord(dataFolder)) ?? {};
  return createClient(apiUrl, credentials?.apiKeys.secret ?? '', { auth: { persistSession: false } });
}

async function upload(path: string, content: Buffer, upsert = false): Promise<void> {
  const { error } = await admin.storage.from('files').upload(path, content, { upsert });
  expect(error).toBeNull();
}

async function contentOf(client: SupabaseClient, path: string): Promise<Buffer | undefined> {
  const { data } = await client.storage.from('files').download(path);
  return data ? Buffer.from(await data.arrayBuffer()) : undefined;
}

/** Backs up the instance into a folder of this name, with a changed source of objects; returns the folder. */
async function backupOf(name: string, change: (source: ContentSource) => ContentSource): Promise<string> {
  const dataFolder = join(project.folder, '.greenroom');
  const { credentials } = (await readInstanceRecord(dataFolder)) ?? {};
  const { adminDatabaseUrl = '', ownDatabaseUrl = '' } = credentials ?? {};
  const target = join(place, name);
  const store = await openStore(target);
  const content = await openContentStore(loadConfig({}).storage, dataFolder);
  try {
    await createBackup({
      archive: await openOrCreateArchive(store, { secrets: { noEncryption: true }, greenroomVersion: '1' }),
      instance: {},
      database: physicalSource(adminDatabaseUrl),
      postgresVersion: '18',
      greenroomVersion: '1',
      content: change(contentSource(ownDatabaseUrl, content)),
      dataFolder,
    });
  } finally {
    await content.close();
  }
  return target;
}

/** Starts an instance on restored data, and stops it after `work`. */
async function onRestored<T>(folder: string, work: (client: SupabaseClient) => Promise<T>): Promise<T> {
  const server = project.follow(START, { env: { GREENROOM_DATA_DIR: folder } });
  try {
    await server.waitFor(/^ready /m);
    return await work(await connect(folder));
  } finally {
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await exited;
  }
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-backup-'));
  await chmod(place, 0o711);
  archive = join(place, 'archive');
  await writeFile(join(place, 'passphrase'), 'a long passphrase\n', { mode: 0o600 });
  secret = ['--passphrase-file', join(place, 'passphrase')];
  project = await createProjectInstance({ 'config.toml': '', 'migrations/1_notes.sql': TABLE });
  await project.spawn(START).waitFor(/^ready /m);
  admin = await connect(join(project.folder, '.greenroom'));
  // A client with a session sends the token of its user.
  await (await connect(join(project.folder, '.greenroom'))).auth.signUp(CREDENTIALS);
  await admin.from('notes').insert({ text: 'first' });
  await upload('large.bin', LARGE);
  for (const index of [1, 2, 3]) await upload(`small/${index}.txt`, Buffer.from(`small ${index}`));
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

describe('a backup of a running instance', () => {
  it('contains database, objects and keys while clients write, and is listed', async () => {
    let isWriting = true;
    let written = 0;
    const writer = (async () => {
      while (isWriting) {
        const { error } = await admin.from('notes').insert({ text: `during ${written}` });
        if (error === null) written += 1;
      }
    })();
    const { code, output, errors } = await run('backup', archive, ...secret);
    isWriting = false;
    await writer;
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(
      /\nbackup \d{8}T\d{6}Z-[0-9a-f]{6}: database .* MB, 4 objects 2\.5 MB; .* were stored\n/,
    );
    expect(written).toBeGreaterThan(0);
    const list = await run('backup', 'list', archive);
    expect(list.output).toMatch(
      /^BACKUP +STATE OF +DATABASE +OBJECTS +STORED +VERIFIED +NAME\n\d{8}T.* not yet\n$/,
    );
  });

  it('does not store the same pieces again', async () => {
    expect((await run('backup', archive, ...secret)).code).toBe(0);
    const [newer, older] = await backups();
    expect(newer.storedBytes).toBeLessThan(older.storedBytes / 4);
  });

  it('reads no more in a second than --max-rate allows', async () => {
    const start = performance.now();
    expect((await run('backup', archive, ...secret, '--max-rate', '40')).code).toBe(0);
    const seconds = (performance.now() - start) / 1000;
    const [{ databaseBytes }] = await backups();
    expect(databaseBytes / seconds).toBeLessThan(40_000_000);
  });

  it('is verified by restoring it, and the list shows the day', async () => {
    // A service manager may let the server write to its data folder only.
    const neighbour = join(project.folder, '.greenroom.verifying');
    await mkdir(neighbour);
    const { code, output, errors } = await run('backup', 'verify', archive, ...secret);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(
      / is good: PostgreSQL started; \d+ indexes, \d+ tables with \d+ rows and the hashes of 4 objects are right\n$/,
    );
    await rmdir(neighbour);
    const [{ check }] = await backups();
    expect(check).toMatchObject({ method: 'restored', problems: [] });
    expect(await readdir(join(project.folder, '.greenroom'))).not.toContain('verifying');
  });

  it('has no readable text of rows, objects and names', async () => {
    const names = await readdir(archive, { recursive: true, withFileTypes: true });
    const files = names
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const content = (await readFile(file)).toString('latin1');
      for (const text of ['ada@example.org', 'small/1.txt', 'small 1', 'greenroom.conf'])
        expect(content).not.toContain(text);
    }
  });
});

describe('a backup that a signal interrupts', () => {
  /** Sizes of the stored chunks, and the number of those that are being stored. */
  async function chunksIn(folder: string): Promise<{ sizes: Map<string, number>; partial: number }> {
    const entries = await readdir(join(folder, 'chunks'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const files = entries.filter((entry) => entry.isFile());
    const complete = files.filter(({ name }) => /^[0-9a-f]{64}$/.test(name));
    const sizes = await Promise.all(
      complete.map(
        async ({ parentPath, name }) => [name, (await stat(join(parentPath, name))).size] as const,
      ),
    );
    return { sizes: new Map(sizes), partial: files.length - complete.length };
  }

  /** Starts a backup of about 45 MB at 10 MB a second. */
  const start = (target: string) =>
    project.follow(['backup', target, '--no-encryption', '--max-rate', '10'], {});

  async function interrupt(backup: ReturnType<typeof start>): Promise<void> {
    const exited = once(backup.child, 'exit');
    backup.child.kill('SIGINT');
    expect(await exited).toEqual([1, null]);
  }

  it('prints its progress, and the next backup stores only the missing chunks', async () => {
    const target = join(place, 'interrupted');
    const backup = start(target);
    await backup.waitFor(/^ {2}database$/m);
    await vi.waitFor(async () => expect((await chunksIn(target)).partial).toBeGreaterThan(5), LONG);
    await interrupt(backup);
    expect(backup.printed()).toMatch(
      /\n {2}content\n {2}database\n(?:.*\n)*error: interrupted\. The next backup continues\.\n$/,
    );
    const { sizes: kept, partial } = await chunksIn(target);
    expect([kept.size > 5, partial]).toEqual([true, 0]);
    expect((await run('backup', 'list', target, '-o', 'json')).output).toContain('"backups": []');

    const { code, errors } = await run('backup', target, '--no-encryption');
    expect([code, errors]).toEqual([0, '']);
    const { sizes } = await chunksIn(target);
    const added = [...sizes].filter(([id]) => !kept.has(id));
    const [{ storedBytes }] = JSON.parse((await run('backup', 'list', target, '-o', 'json')).output).backups;
    expect(storedBytes).toBe(added.reduce((sum, [, size]) => sum + size, 0));
    expect((await run('backup', 'verify', target, '--no-encryption')).code).toBe(0);
  });

  it('leaves no file behind if the archive is one file', async () => {
    const folder = join(place, 'one-file');
    await mkdir(folder);
    const backup = start(join(folder, 'backup.tar'));
    await backup.waitFor(/^ {2}database$/m);
    await interrupt(backup);
    expect(backup.printed()).toMatch(/\nerror: interrupted; no file was written\.\n$/);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a restore', () => {
  it('returns rows, objects, users and keys, and continues as an instance', async () => {
    const folder = join(place, 'restored');
    // An empty folder may be a mounted disk, e.g. in a container.
    await mkdir(folder, { mode: 0o711 });
    await admin.from('notes').insert({ text: 'after the backup' });
    const { code, output, errors } = await run('restore', archive, ...secret, '--into', folder);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`restored ${folder}: 4 objects 2.5 MB; checked: `);
    await onRestored(folder, async (client) => {
      const { data } = await client.from('notes').select('text').order('id');
      expect(data?.[0]).toEqual({ text: 'first' });
      expect(data).not.toContainEqual({ text: 'after the backup' });
      expect(await contentOf(client, 'large.bin')).toEqual(LARGE);
      expect(String(await contentOf(client, 'small/3.txt'))).toBe('small 3');
      expect((await (await connect(folder)).auth.signInWithPassword(CREDENTIALS)).error).toBeNull();
      // The same keys: a client of the lost instance goes on.
      expect((await client.from('notes').insert({ text: 'new' })).error).toBeNull();
      const { error } = await client.storage.from('files').upload('new.txt', 'new');
      expect(error).toBeNull();
    });
    const keys = (at: string) => readFile(join(at, 'keys.json'), 'utf8');
    expect(await keys(folder)).toBe(await keys(join(project.folder, '.greenroom')));
  });

  it('can take any backup of the archive, and prints the plan only with --dry-run', async () => {
    const [, older] = await backups();
    const folder = join(place, 'dry');
    const { code, output } = await run(
      'restore',
      archive,
      ...secret,
      '--backup',
      older.id,
      '--into',
      folder,
      '--dry-run',
    );
    expect([code, output]).toEqual([0, expect.stringContaining(`\n  backup ${older.id} of `)]);
    expect(await readdir(place)).not.toContain('dry');
  });

  it('overwrites no data: --force keeps the existing folder under another name', async () => {
    const folder = join(place, 'restored');
    const refused = await run('restore', archive, ...secret, '--into', folder);
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining(`${folder} exists already, and a restore does not overwrite data.`),
    ]);
    const forced = await run('restore', archive, ...secret, '--into', folder, '--force');
    expect([forced.code, forced.errors]).toEqual([0, '']);
    const [former = ''] = (await readdir(place)).filter((name) => name.startsWith('restored.before-'));
    expect(forced.output).toContain(`the former data is in ${former}`);
    expect(await readdir(join(place, former))).toContain('postgres');
  });

  it('refuses the folder of a running instance', async () => {
    const { code, errors } = await run('restore', archive, ...secret, '--force');
    expect([code, errors]).toEqual([1, expect.stringMatching(/is in use by .* Stop the instance first/)]);
  });

  it('gives objects that changed during the backup their newer content, and leaves out deleted ones', async () => {
    let passes = 0;
    const target = await backupOf('changing', (source) => ({
      ...source,
      async *rows() {
        passes += 1;
        if (passes === 2) {
          await upload('replaced.txt', Buffer.from('newer'), true);
          await admin.storage.from('files').remove(['deleted.txt']);
        }
        yield* source.rows();
        if (passes === 1)
          for (const path of ['replaced.txt', 'deleted.txt']) await upload(path, Buffer.from('older'));
      },
    }));
    const folder = join(place, 'changed');
    const { code, output, errors } = await run('restore', target, '--no-encryption', '--into', folder);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('changed during the backup, so restored with newer content: 1 object\n');
    expect(output).toContain('deleted during the backup, so left out: 1 object\n');
    await onRestored(folder, async (client) => {
      expect(String(await contentOf(client, 'replaced.txt'))).toBe('newer');
      const { data } = await client.storage.from('files').list();
      expect(data?.map(({ name }) => name)).not.toContain('deleted.txt');
    });
  });
});

describe('code of the project', () => {
  it('runs as the owner of the database in backups, verifications and restores, and can keep rows of objects', async () => {
    for (const sql of [
      'create table public.rights (role text)',
      'create function public.note_rights() returns trigger language plpgsql as $$ begin insert into public.rights values (current_user); return old; end $$',
      'create trigger note_rights before delete on storage.objects for each row execute function public.note_rights()',
      `create function public.refuse_superuser(int) returns int language plpgsql immutable as $$
        begin
          if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
            raise exception 'runs as a superuser';
          end if;
          return 1;
        end $$`,
      'create statistics public.of_objects on (public.refuse_superuser(1)), name from storage.objects',
      'create table public.planned as select id from generate_series(1, 10) id',
      'create index on public.planned using hash (public.refuse_superuser(1))',
    ])
      await project.query(sql);
    for (const path of ['kept.txt', 'removed.txt']) await upload(path, Buffer.from(path));
    await project.query(
      `create table public.avatars as select id as object from storage.objects where name = 'kept.txt'`,
    );
    await project.query(
      'alter table public.avatars add foreign key (object) references storage.objects (id)',
    );
    await project.query('analyze storage.objects');
    const complete = await run('backup', join(place, 'complete'), '--no-encryption');
    expect([complete.code, complete.errors]).toEqual([0, '']);
    const target = await backupOf('incomplete', (source) => ({
      ...source,
      async *rows() {
        for await (const row of source.rows())
          if (row.key !== 'kept.txt' && row.key !== 'removed.txt') yield row;
      },
    }));
    const verified = await run('backup', 'verify', target, '--no-encryption');
    expect([verified.code, verified.errors]).toEqual([0, '']);
    const folder = join(place, 'with-code');
    const { code, output, errors } = await run('restore', target, '--no-encryption', '--into', folder);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('so left out: 1 object\n');
    expect(output).toContain('without content, because the project keeps their rows: 1 object\n');
    await onRestored(folder, async (client) => {
      const { data: rights } = await client.from('rights').select();
      expect(new Set(rights?.map(({ role }) => role))).toEqual(new Set(['postgres']));
      const { data } = await client.storage.from('files').list();
      const names = data?.map(({ name }) => name);
      expect([names?.includes('kept.txt'), names?.includes('removed.txt')]).toEqual([true, false]);
    });
  });
});

describe('doctor --production', () => {
  const outcomesOf = async (url: string) => {
    const env = { GREENROOM_BACKUP_URL: url, GREENROOM_BACKUP_CONTINUOUS: 'false' };
    const { output } = await project.run(['doctor', '--production', '-o', 'json'], { env });
    const checks: { check: string; state: string; message: string }[] = JSON.parse(output);
    return checks.flatMap(({ check, state, message }) => (check === 'backups' ? [[state, message]] : []));
  };

  it('reports a missing backup, and the age and the verification of the newest ones', async () => {
    expect(await outcomesOf(join(place, 'nothing'))).toEqual([['problem', 'there is no backup yet']]);
    await run('backup', archive, ...secret);
    expect(await outcomesOf(archive)).toEqual([
      ['ok', expect.stringContaining('the newest backup is of')],
      ['ok', expect.stringContaining('was verified')],
    ]);
  });
});

describe('an archive', () => {
  it('can be one file, which is complete or absent', async () => {
    const file = join(place, 'backup.tar');
    expect((await run('backup', file, '--no-encryption')).code).toBe(0);
    const again = await run('backup', file, '--no-encryption');
    expect(again.code).toBe(1);
    const folder = join(place, 'from-file');
    const { code, errors } = await run('restore', file, '--no-encryption', '--into', folder);
    expect([code, errors]).toEqual([0, '']);
    expect(await readdir(place)).not.toContain('backup.tar.partial');
  });

  it.each(['restore', 'restore --only notes', 'backup', 'backup verify', 'backup check'])(
    'that is not encrypted is refused by %s without --no-encryption',
    async (command) => {
      const file = join(place, 'backup.tar');
      const { code, errors } = await run(...command.split(' '), file);
      expect([code, errors]).toEqual([
        1,
        `error: the archive in file ${file} is not encrypted, so everyone who can write there can have changed it. If it was created without encryption, use --no-encryption or set GREENROOM_BACKUP_NO_ENCRYPTION=true; otherwise, it was replaced\n`,
      ]);
    },
  );

  it('that is not encrypted is accepted with its setting, and the plan of a restore says so', async () => {
    const env = { GREENROOM_BACKUP_NO_ENCRYPTION: 'true' };
    const plan = (where: string, ...options: string[]) =>
      project.run(['restore', where, ...options, '--into', join(place, 'planned'), '--dry-run'], {
        input: '',
        env,
      });
    const file = join(place, 'backup.tar');
    expect((await plan(file)).output).toContain(`\n  from file ${file}, not encrypted\n`);
    expect((await plan(archive, ...secret)).output).toContain(
      `\n  from folder ${archive}, encrypted with a passphrase\n`,
    );
    const encrypted = await plan(archive);
    expect([encrypted.code, encrypted.errors]).toEqual([
      1,
      expect.stringContaining('is encrypted, although no encryption is set'),
    ]);
  });

  it('can be in a bucket', async () => {
    const server = await startTestS3('shop');
    try {
      const { bucket, prefix, endpoint, credentials } = server.place;
      const env = {
        GREENROOM_BACKUP_URL: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
        GREENROOM_BACKUP_S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
        GREENROOM_BACKUP_S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
        GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, 'passphrase'),
      };
      const stored = await project.run(['backup'], { input: '', env });
      expect([stored.code, stored.errors]).toEqual([0, '']);
      const folder = join(place, 'from-bucket');
      const { code, output, errors } = await project.run(['restore', '--into', folder], { input: '', env });
      expect([code, errors]).toEqual([0, '']);
      expect(output).toContain(`restored ${folder}: `);
    } finally {
      await server.close();
    }
  });

  it('for a recipient can be written without the identity that reads it', async () => {
    const { output } = await run('backup', 'keygen');
    const [, recipient = '', identity = ''] = /^recipient (\S+)\nidentity {2}(\S+)\n$/.exec(output) ?? [];
    const target = join(place, 'sealed');
    expect((await run('backup', target, '--recipient', recipient)).code).toBe(0);
    const folder = join(place, 'unsealed');
    const refused = await run('restore', target, '--into', folder);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('--identity-file')]);
    await writeFile(join(place, 'identity'), identity, { mode: 0o600 });
    const args = ['--identity-file', join(place, 'identity'), '--into', folder];
    expect(await run('restore', target, ...args)).toMatchObject({ code: 0, errors: '' });
  });

  it('names a damaged piece when it is verified', async () => {
    const [{ id }] = await backups();
    const references = await readFile(join(archive, 'backups', `${id}.references`));
    const chunk = references.toString('hex', 0, 32);
    const shard = chunk.slice(0, 2);
    const path = join(archive, 'chunks', shard, chunk);
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(path, bytes);
    const { code, errors } = await run('backup', 'verify', archive, ...secret);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^backup ${id} cannot be used:\\n {2}chunks/${shard}/`)),
    ]);
    expect((await run('backup', 'list', archive)).output).toMatch(/: cannot be used\n/);
  });
});

describe('an archive that ages', () => {
  it('is pruned to the newest backup of each kept period, and the newest verified one', async () => {
    const before = await backups();
    expect(before.length).toBeGreaterThan(2);
    const planned = await run('backup', 'prune', archive, '--dry-run');
    expect([planned.code, await backups()]).toEqual([0, before]);
    const { code, output, errors } = await run('backup', 'prune', archive);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/\n\d+ backups? and .* removed, \d kept\n$/);
    const [newest] = before;
    const kept = (await backups()) as typeof before;
    expect(kept[0]?.id).toBe(newest?.id);
    expect(kept.length).toBeLessThanOrEqual(2);
    expect(planned.output.replaceAll('would remove', 'removed').split('\n').slice(0, -2)).toEqual(
      output.split('\n').slice(0, -2),
    );
  });

  it('is repaired: damaged chunks are named and removed, and the next backup stores them again', async () => {
    const damaged = await run('backup', 'check', archive, ...secret, '--repair');
    expect(damaged.code).toBe(1);
    expect(damaged.errors).toMatch(/^chunks\/.* is damaged: [\s\S]*\n {2}backup \S+ cannot be restored\n/m);
    expect(damaged.output).toMatch(
      /removed \d+ damaged chunks?\. The next backup stores their content again\.\n$/,
    );
    expect((await run('backup', archive, ...secret)).code).toBe(0);
    const [{ id }] = await backups();
    const verified = await run('backup', 'verify', archive, ...secret);
    expect([verified.code, verified.output]).toEqual([0, expect.stringContaining(`backup ${id} is good`)]);
  });
});

describe('wrong input', () => {
  it.each([
    [['backup'], 'name the place of the backups'],
    [['backup', 'ftp://host/x', '--no-encryption'], 'ftp:// is not supported'],
    [['backup', 'EMPTY'], 'a new archive needs its encryption'],
    [['backup', 'EMPTY', '--name', 'a b'], '"a b" is not a name of a backup'],
    [['backup', 'EMPTY', '--passphrase-file', 'missing'], 'missing cannot be read'],
    [['restore', 'EMPTY', '--into', 'x'], 'contains no archive of Greenroom'],
    [['restore', 'ARCHIVE', '--into', 'x'], 'is encrypted with a passphrase: give it with --passphrase-file'],
    [['restore', 'ARCHIVE', 'SECRET', '--backup', '1', '--into', 'x'], 'has no backup 1. It has: '],
  ])('ends %j with one message', async (args, message) => {
    const expanded = args.flatMap((arg) => {
      if (arg === 'SECRET') return secret;
      return [{ ARCHIVE: archive, EMPTY: join(place, 'empty') }[arg] ?? arg];
    });
    const { code, errors } = await run(...expanded);
    expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });

  it('refuses a passphrase that other users can read, and a wrong one', async () => {
    const file = join(place, 'other');
    await writeFile(file, 'another passphrase\n', { mode: 0o600 });
    const wrong = await run('restore', archive, '--passphrase-file', file, '--into', 'x');
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('passphrase')]);
    await chmod(file, 0o644);
    const open = await run('restore', archive, '--passphrase-file', file, '--into', 'x');
    expect([open.code, open.errors]).toEqual([1, expect.stringContaining(`chmod 600 ${file}`)]);
  });

  it('does not back up an instance without a database', async () => {
    const empty = join(place, 'no-data');
    await mkdir(empty);
    const { code, errors } = await project.run(['backup', archive, ...secret], {
      input: '',
      env: { GREENROOM_DATA_DIR: empty },
    });
    expect([code, errors]).toEqual([1, expect.stringContaining('the project has no database yet')]);
  });
});
