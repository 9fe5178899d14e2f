import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followSchema, type SchemaFollower } from './follow-schema.ts';

let database: TestDatabase;
let follower: SchemaFollower;
let changes: number;
let onChange: () => Promise<void>;

beforeEach(async () => {
  database = await createTestDatabase();
  changes = 0;
  onChange = async () => undefined;
  follower = followSchema({
    url: database.ownerUrl,
    onChange: () => {
      changes += 1;
      return onChange();
    },
    onLost: () => undefined,
  });
  await expect.poll(() => changes).toBe(1);
});
afterEach(async () => {
  await follower.close();
  await database.drop();
});

describe('a follower of the schema', () => {
  it('reports created and dropped tables, and requests to reload the schema', async () => {
    await database.run('create table followed (id int)');
    await expect.poll(() => changes).toBe(2);
    await database.run('drop table followed');
    await expect.poll(() => changes).toBe(3);
    await database.run("notify pgrst, 'reload schema'");
    await expect.poll(() => changes).toBe(4);
  });

  it('does not report other notifications', async () => {
    await database.run("notify pgrst, 'reload config'");
    await database.run('create table followed (id int)');
    await expect.poll(() => changes).toBe(2);
  });

  it('reports changes during a call by another one, which does not run at the same time', async () => {
    const release = Promise.withResolvers<void>();
    let running = 0;
    let atMost = 0;
    onChange = async () => {
      running += 1;
      atMost = Math.max(atMost, running);
      await release.promise;
      running -= 1;
    };
    await database.run('create table followed (id int)');
    await expect.poll(() => changes).toBe(2);
    await database.run('drop table followed');
    release.resolve();
    await expect.poll(() => changes).toBe(3);
    expect(atMost).toBe(1);
  });

  it('reports a change that it may have missed while the connection was lost', async () => {
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'greenroom types, listening'`;
    await database.admin.query({ text: kill });
    await expect.poll(() => changes).toBe(2);
  });

  it('waits for a running call when it is closed', async () => {
    const release = Promise.withResolvers<void>();
    onChange = () => release.promise;
    await database.run('create table followed (id int)');
    await expect.poll(() => changes).toBe(2);
    let isClosed = false;
    const closed = follower.close().then(() => {
      isClosed = true;
    });
    await database.run('drop table followed');
    expect(isClosed).toBe(false);
    release.resolve();
    await closed;
    expect(changes).toBe(2);
  });
});
