/** Base backups and physical streams of a real server. */
import { chmod, chown, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/cluster.ts';
import { DamagedClusterError, startBaseBackup } from './base-backup.ts';
import type { BackupPosition } from './base-backup-query.ts';
import { createReplicationClient } from './client.ts';
import { createPhysicalSlot, dropSlot, readPhysicalSlot, type SystemIdentity } from './commands.ts';
import { parseLsn, segmentStart } from './lsn.ts';
import { isLogRemoved, openPhysicalStream } from './physical-stream.ts';
import type { TarBlock } from './tar-reader.ts';
import type { Lsn } from './wal-message.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom physical-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
  url = postgres.superuser.localUrl;
  database = openDatabase({ url, max: 2, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function queryValue(text: string): Promise<string> {
  const [row] = await database.query({ text });
  return String(Object.values(row ?? {})[0]);
}

async function readBackup(): Promise<{ blocks: TarBlock[]; start: BackupPosition; stop: BackupPosition }> {
  const backup = await startBaseBackup({ url, label: 'a "test"' });
  expect(() => backup.stop()).toThrow('has not reached its end');
  const blocks: TarBlock[] = [];
  for await (const block of backup.blocks()) blocks.push(block);
  return { blocks, start: backup.start, stop: backup.stop() };
}

describe('a base backup', () => {
  it('returns all files, with the cluster’s identity last and the positions of the log', async () => {
    await database.query({ text: 'create table backed_up as select i from generate_series(1, 200000) i' });
    const path = await queryValue(`select pg_relation_filepath('backed_up')`);
    const progress: (number | undefined)[][] = [];
    const backup = await startBaseBackup({
      url,
      label: 'test',
      onProgress: (...values) => progress.push(values),
    });
    const sizes = new Map<string, number>();
    let last = '';
    for await (const { entry, offset, bytes } of backup.blocks()) {
      expect(offset).toBe(sizes.get(entry.path) ?? 0);
      sizes.set(entry.path, offset + bytes.length);
      last = entry.path;
    }
    expect(sizes.get(path)).toBe(Number(await queryValue(`select pg_relation_size('backed_up')`)));
    expect(last).toBe('global/pg_control');
    expect([...sizes.keys()]).toContain('pg_wal');
    expect(backup.stop().lsn).toBeGreaterThan(backup.start.lsn);
    expect(backup.stop().timeline).toBe(backup.start.timeline);
    expect(progress.at(-1)?.[0]).toBeGreaterThan(sizes.get(path) ?? 0);
    expect(progress.at(-1)?.[1]).toBeGreaterThan(sizes.get(path) ?? 0);
  });

  it('contains the files of tablespaces, whose links it replaces', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'greenroom-space-'));
    const { uid, gid } = await stat(postgres.directory);
    await chown(outside, uid, gid);
    try {
      await database.query({ text: `create tablespace elsewhere location '${outside}'` });
      await database.query({ text: 'create table moved tablespace elsewhere as select 1 as i' });
      const path = await queryValue(`select pg_relation_filepath('moved')`);
      const { blocks } = await readBackup();
      const found = blocks.find(({ entry }) => entry.path === path);
      expect(found).toMatchObject({ entry: { type: 'file', size: 8192 } });
      const space = path.split('/').slice(0, 2).join('/');
      expect(blocks.find(({ entry }) => entry.path === space)).toMatchObject({
        entry: { type: 'directory' },
      });
      await database.query({ text: 'drop table moved' });
      await database.query({ text: 'drop tablespace elsewhere' });
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('ends on the server if its reader stops', async () => {
    const { blocks } = await startBaseBackup({ url, label: 'test' });
    for await (const _ of blocks()) break;
    await expect
      .poll(() => queryValue(`select count(*) from pg_stat_activity where backend_type = 'walsender'`))
      .toBe('0');
  });

  it('rejects if its connection is lost', async () => {
    const backup = await startBaseBackup({ url, label: 'test' });
    const items = backup.blocks();
    await items.next();
    // The server waits for its reader then, so it cannot have finished.
    await database.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'walsender'`,
    });
    await expect(
      (async () => {
        while (!(await items.next()).done);
      })(),
    ).rejects.toThrow(/terminat/);
  });

  it('names the files whose checksums are wrong', async () => {
    await database.query({ text: 'create table damaged as select i from generate_series(1, 5000) i' });
    await database.query({ text: 'checkpoint' });
    const path = await queryValue(`select pg_relation_filepath('damaged')`);
    const file = await open(join(postgres.directory, path), 'r+');
    await file.write(Buffer.from('damage'), 0, 6, 3 * 8192 + 5000);
    await file.close();
    const error = await readBackup().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DamagedClusterError);
    expect((error as DamagedClusterError).files).toEqual([path]);
    expect((error as DamagedClusterError).message).toContain(`wrong checksums in ${path} (block 3)`);
    await database.query({ text: 'drop table damaged' });
  });

  it('rejects for a role that may not replicate', async () => {
    await database.query({ text: `create role reader login password 'test'` });
    const own = new URL(url);
    own.username = 'reader';
    own.password = 'test';
    const options = { url: own.href, label: 'test' } as const;
    await expect(startBaseBackup(options)).rejects.toThrow('permission denied to start WAL sender');
  });
});

describe('a physical stream', () => {
  /** Opens a stream that continues where it ended, and collects its bytes. */
  async function openLog(slot: string, options: { restMs?: number } = {}) {
    const lost: Error[] = [];
    const systems: SystemIdentity[] = [];
    const collected: Buffer[] = [];
    let from: Lsn | undefined;
    let position = 0n;
    const stream = openPhysicalStream({
      url,
      applicationName: 'test stream',
      statusEveryMs: 50,
      ...options,
      async prepare(client, system) {
        systems.push(system);
        const existing = await readPhysicalSlot(client, slot);
        if (existing === undefined) await createPhysicalSlot(client, slot, { isTemporary: false });
        if (from === undefined) {
          const created = await readPhysicalSlot(client, slot);
          from = segmentStart(created?.restartLsn ?? 0n);
          position = from;
        }
        return { slot, timeline: system.timeline, from: position };
      },
      onData(start, bytes) {
        expect(start).toBe(position);
        position += BigInt(bytes.length);
        collected.push(Buffer.from(bytes));
      },
      onLost: (error) => lost.push(error),
    });
    return { stream, lost, systems, position: () => position, bytes: () => Buffer.concat(collected) };
  }

  async function commitMarker(marker: string): Promise<Lsn> {
    await database.query({ text: `select pg_logical_emit_message(true, 'test', '${marker}')` });
    return parseLsn(await queryValue('select pg_current_wal_flush_lsn()'));
  }

  const readRestartLsn = async (slot: string) =>
    parseLsn(await queryValue(`select restart_lsn from pg_replication_slots where slot_name = '${slot}'`));

  async function removeSlot(slot: string): Promise<void> {
    const client = createReplicationClient(url, 'test', {});
    await client.connect();
    await expect
      .poll(() =>
        dropSlot(client, slot).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await client.end();
  }

  it('continues after a lost connection without a gap, and confirms positions', async () => {
    const log = await openLog('test_log');
    const first = await commitMarker('marker one');
    await expect.poll(() => log.position() >= first).toBe(true);
    await database.query({
      text: `select pg_terminate_backend(pid) from pg_stat_replication where application_name = 'test stream'`,
    });
    const second = await commitMarker('marker two');
    await expect.poll(() => log.position() >= second).toBe(true);
    expect(log.lost).toHaveLength(1);
    expect(log.systems[0]?.systemId).toBe(
      await queryValue('select system_identifier from pg_control_system()'),
    );
    const bytes = log.bytes();
    expect(bytes.indexOf('marker one')).toBeGreaterThan(0);
    expect(bytes.indexOf('marker two')).toBeGreaterThan(bytes.indexOf('marker one'));
    log.stream.acknowledge(second);
    await expect.poll(() => readRestartLsn('test_log')).toBe(second);
    await log.stream.close();
    await removeSlot('test_log');
  });

  it('receives nothing while it is paused', async () => {
    const log = await openLog('test_paused');
    const first = await commitMarker('before the pause');
    await expect.poll(() => log.position() >= first).toBe(true);
    log.stream.pause();
    const before = log.position();
    await database.query({
      text: `select pg_logical_emit_message(true, 'test', repeat('x', 8000000))`,
    });
    const end = await commitMarker('after the pause');
    expect(log.position() - before).toBeLessThan(2_000_000n);
    log.stream.resume();
    await expect.poll(() => log.position() >= end).toBe(true);
    await log.stream.close();
    await removeSlot('test_paused');
  });

  it('rests when it has received all of the log: the server sends nothing then', async () => {
    const log = await openLog('test_resting', { restMs: 1_000_000 });
    await commitMarker('before the rest');
    await expect
      .poll(() => queryValue(`select state from pg_stat_replication where application_name = 'test stream'`))
      .toBe('startup');
    const before = log.position();
    await database.query({ text: `select pg_logical_emit_message(true, 'test', repeat('x', 8000000))` });
    expect(log.position()).toBe(before);
    await log.stream.close();
    expect(log.lost).toEqual([]);
    await removeSlot('test_resting');
  });

  it('continues after each rest without a gap, and confirms positions', async () => {
    const log = await openLog('test_rests', { restMs: 1 });
    let end = await commitMarker('the first marker');
    await expect.poll(() => log.position() >= end).toBe(true);
    const { length: earlierBytes } = log.bytes();
    const markers = Array.from({ length: 100 }, (_, index) => `marker ${index}.`);
    for (const marker of markers) {
      log.stream.acknowledge(log.position());
      // Twice, because the header of a page can be within one of them.
      end = await commitMarker(marker + marker);
    }
    await expect.poll(() => log.position() >= end).toBe(true);
    const bytes = log.bytes().subarray(earlierBytes);
    expect(markers.filter((marker) => !bytes.includes(marker))).toEqual([]);
    const large = `select pg_logical_emit_message(true, 'test', repeat('x', 8000000))`;
    await Promise.all([database.query({ text: large }), database.query({ text: large })]);
    end = await commitMarker('the last marker');
    await expect.poll(() => log.position() >= end).toBe(true);
    log.stream.acknowledge(end);
    await commitMarker('wakes the stream');
    await expect.poll(() => readRestartLsn('test_rests')).toBe(end);
    expect(log.lost).toEqual([]);
    await log.stream.close();
    await removeSlot('test_rests');
  });

  it('receives nothing while it is paused after a rest', async () => {
    const log = await openLog('test_paused_rest', { restMs: 100 });
    const first = await commitMarker('before the rest');
    await expect.poll(() => log.position() >= first).toBe(true);
    log.stream.pause();
    const before = log.position();
    await database.query({ text: `select pg_logical_emit_message(true, 'test', repeat('x', 8000000))` });
    const end = await commitMarker('after the rest');
    await expect
      .poll(() => queryValue(`select state from pg_stat_replication where application_name = 'test stream'`))
      .toMatch(/catchup|streaming/);
    expect(log.position() - before).toBeLessThan(2_000_000n);
    log.stream.resume();
    await expect.poll(() => log.position() >= end).toBe(true);
    await log.stream.close();
    await removeSlot('test_paused_rest');
  });

  it('reports that the log was removed', async () => {
    const { promise: lost, resolve } = Promise.withResolvers<Error>();
    const stream = openPhysicalStream({
      url,
      applicationName: 'test stream',
      statusEveryMs: 1000,
      async prepare(client, { timeline }) {
        await createPhysicalSlot(client, 'test_removed', { isTemporary: true });
        return { slot: 'test_removed', timeline, from: 0n };
      },
      onData: () => {},
      onLost: resolve,
    });
    const error = await lost;
    stream.disconnect();
    expect(isLogRemoved(error)).toBe(true);
    await stream.close();
  });
});
