import { randomUUID } from 'node:crypto';
import { createLogger } from '@greenroom/log';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Leases, type LeaseTimes } from './leases.ts';
import { insertUpload } from './rows.ts';
import { uploadId } from './upload-id.ts';

let database: TestDatabase;
let storage: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  storage = openDatabase({ url: database.storageUrl, max: 5, applicationName: 'test leases' });
  await storage.query({ text: `insert into storage.buckets (id, name) values ('b', 'b')` });
});
afterAll(async () => {
  await storage.close();
  await database.drop();
});

const log = createLogger('silent');

/** Creates the leases of a process. */
function openLeases(times: Partial<LeaseTimes> = {}): Leases {
  return new Leases({ database: storage, log }, { renewMs: 20, pollMs: 10, ...times });
}

async function newUpload(): Promise<string> {
  const name = { bucket: 'b', key: 'k', version: randomUUID() };
  await storage.query(
    insertUpload({
      ...name,
      length: 1,
      metadata: {},
      ownerId: null,
      begunBy: 'service_role',
      reserved: null,
    }),
  );
  return uploadId(name);
}

/** A request that does not release its lease unless it is asked to. */
function request(leases: Leases, id: string) {
  const releaseRequested = Promise.withResolvers<void>();
  const lock = leases.locker(async () => undefined).newLock(id);
  return {
    releaseRequested: releaseRequested.promise,
    acquire: (signal = new AbortController().signal) => lock.lock(signal, () => releaseRequested.resolve()),
    release: () => lock.unlock(),
  };
}

it.each(['the same process', 'another process'])('passes a lease to a request in %s', async (where) => {
  const id = await newUpload();
  const leases = openLeases();
  const first = request(leases, id);
  const second = request(where === 'another process' ? openLeases() : leases, id);
  await first.acquire();
  const acquired = second.acquire();
  await first.releaseRequested;
  await first.release();
  await acquired;
  await second.release();
  await request(leases, id).acquire();
});

it('rejects other requests until the holder has released the lease', async () => {
  const id = await newUpload();
  const leases = openLeases({ maxWaitMs: 50 });
  const first = request(leases, id);
  await first.acquire();
  await expect(request(leases, id).acquire()).rejects.toMatchObject({ code: 'LockTimeout', status: 503 });
  await expect(request(openLeases({ maxWaitMs: 50 }), id).acquire()).rejects.toMatchObject({
    code: 'LockTimeout',
  });
  await first.release();
  await request(leases, id).acquire();
});

it('does not expire while it is renewed', async () => {
  const id = await newUpload();
  // The renewal interval leaves ample time on a busy machine.
  const first = request(openLeases({ leaseMs: 1500 }), id);
  await first.acquire();
  const late = request(openLeases({ leaseMs: 1500, maxWaitMs: 3000 }), id);
  await expect(late.acquire()).rejects.toMatchObject({ code: 'LockTimeout' });
  await first.release();
});

it('expires after its process was killed', async () => {
  const id = await newUpload();
  await request(openLeases({ leaseMs: 100, renewMs: 1_000_000 }), id).acquire();
  const next = request(openLeases(), id);
  await next.acquire();
  await next.release();
});

it('notifies a holder that has lost its lease', async () => {
  const id = await newUpload();
  const first = request(openLeases(), id);
  await first.acquire();
  await storage.query({
    text: 'update storage.resumable_uploads set lease_holder = gen_random_uuid()',
  });
  await first.releaseRequested;
});

it('serialises many requests', async () => {
  const id = await newUpload();
  const processes = [openLeases(), openLeases()];
  let [active, maximum] = [0, 0];
  const work = async (index: number) => {
    const { acquire, release } = request(processes[index % 2] ?? openLeases(), id);
    await acquire();
    active += 1;
    maximum = Math.max(maximum, active);
    await storage.query({ text: 'select pg_sleep(0.01)' });
    active -= 1;
    await release();
  };
  await Promise.all(Array.from({ length: 10 }, (_, index) => work(index)));
  expect(maximum).toBe(1);
});

it('does not wait for an aborted request', async () => {
  const id = await newUpload();
  const leases = openLeases();
  await request(leases, id).acquire();
  await expect(request(leases, id).acquire(AbortSignal.abort())).rejects.toMatchObject({
    code: 'LockTimeout',
  });
});

it('needs no lease for missing uploads', async () => {
  const leases = openLeases();
  for (const id of ['b/k/00000000-0000-4000-8000-000000000000', 'nonsense']) {
    await request(leases, id).acquire();
    await request(leases, id).acquire();
  }
});
