/** Writes concurrently with the official client, and checks that every acknowledged write exists. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';

const BUCKET = 'crash';
const PASSWORD = 'correct horse battery';
const MAX_OBJECT_BYTES = 100_000;
const WRITERS = { rows: 3, objects: 2, users: 1 };
/** Number of ids in one request of a check; all of them have to fit into a URL. */
const IDS_PER_REQUEST = 100;
const CHECKS_AT_ONCE = 8;
/** Of a check, with a pause after each. */
const MAX_ATTEMPTS = 60;
const PAUSE_MS = 500;

/** Writes that the instance has acknowledged. */
export interface Ledger {
  /** Text by id. */
  rows: Map<string, string>;
  /** SHA-256 by key. */
  objects: Map<string, string>;
  /** User id by email address. */
  users: Map<string, string>;
}

/** URL and keys of an instance. */
export interface Access {
  url: string;
  anonKey: string;
  serviceKey: string;
}

/** Running writers. */
interface Writers {
  /** From now on, a write may fail. */
  expectFailures(): void;
  /** Resolves when each writer has ended. Rejects if a write failed before failures were expected. */
  stop(): Promise<void>;
}

export function newLedger(): Ledger {
  return { rows: new Map(), objects: new Map(), users: new Map() };
}

/** Adds the writes of one ledger to another one. */
export function addToLedger(ledger: Ledger, more: Ledger): void {
  for (const [id, text] of more.rows) ledger.rows.set(id, text);
  for (const [key, hash] of more.objects) ledger.objects.set(key, hash);
  for (const [email, id] of more.users) ledger.users.set(email, id);
}

export function countWrites({ rows, objects, users }: Ledger): number {
  return rows.size + objects.size + users.size;
}

/** Starts the writers; each writes until it is stopped or one of its requests fails. */
export async function startWriters(access: Access, ledger: Ledger): Promise<Writers> {
  const service = open(access, access.serviceKey);
  const bucket = await service.storage.getBucket(BUCKET);
  if (bucket.error) dataOrThrow(await service.storage.createBucket(BUCKET));
  let isStopped = false;
  let mayFail = false;
  const repeat = async (write: () => Promise<void>) => {
    while (!isStopped) {
      try {
        await write();
      } catch (error) {
        if (!mayFail) throw error;
        return;
      }
    }
  };
  const work = [
    ...times(WRITERS.rows, async () => {
      const user = await signUp(access, ledger);
      await repeat(() => writeRow(user, ledger));
    }),
    ...times(WRITERS.objects, () => repeat(() => writeObject(service, ledger))),
    ...times(WRITERS.users, () => repeat(async () => void (await signUp(access, ledger)))),
  ].map((each) => each.catch((error: Error) => (mayFail ? undefined : error)));
  return {
    expectFailures: () => {
      mayFail = true;
    },
    stop: async () => {
      isStopped = true;
      const failure = (await Promise.all(work)).find((error) => error !== undefined);
      if (failure) throw new Error(`a write failed before the kill: ${failure.message}`, { cause: failure });
    },
  };
}

/** Returns one line for each acknowledged write that is missing or differs. */
export async function findLostWrites(access: Access, { rows, objects, users }: Ledger): Promise<string[]> {
  const service = open(access, access.serviceKey);
  const lost: string[] = [];
  const ids = [...rows.keys()];
  const groups = Array.from({ length: Math.ceil(ids.length / IDS_PER_REQUEST) }, (_, index) =>
    ids.slice(index * IDS_PER_REQUEST, (index + 1) * IDS_PER_REQUEST),
  );
  await forEachAtOnce(groups, async (group) => {
    const found = dataOrThrow(await service.from('notes').select('id, text').in('id', group)) as Note[];
    const texts = new Map(found.map(({ id, text }) => [id, text]));
    for (const id of group) if (texts.get(id) !== rows.get(id)) lost.push(`row ${id}`);
  });
  await forEachAtOnce([...objects], async ([key, hash]) => {
    const content = await answered(() => service.storage.from(BUCKET).download(key));
    if (!content || hashOf(new Uint8Array(await content.arrayBuffer())) !== hash) lost.push(`object ${key}`);
  });
  await forEachAtOnce([...users], async ([email, id]) => {
    const { auth } = open(access, access.anonKey);
    const data = await answered(() => auth.signInWithPassword({ email, password: PASSWORD }));
    if (data?.user?.id !== id) lost.push(`user ${email}`);
  });
  return lost;
}

/** A response of the official client. */
interface Answer {
  data: unknown;
  error: { message: string; status?: number | undefined } | null;
}

/**
 * Returns the data of a request; undefined if the instance denies that it exists. A busy instance refuses requests for a
 * while (429, 5xx), which says nothing about the data, so the request is repeated. Rejects if that does not end.
 */
async function answered<A extends Answer>(request: () => Promise<A>): Promise<A['data'] | undefined> {
  for (let attempt = 1; ; attempt++) {
    const { data, error } = await request();
    if (!error) return data;
    const status = error.status ?? 0;
    if (status >= 400 && status < 500 && status !== 429) return undefined;
    if (attempt === MAX_ATTEMPTS) throw new Error(`a check failed: ${error.message}`, { cause: error });
    await sleep(PAUSE_MS);
  }
}

interface Note {
  id: string;
  text: string;
}

function open({ url }: Access, key: string): SupabaseClient {
  return createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

/** Returns a client that is signed in as the new user. */
async function signUp(access: Access, ledger: Ledger): Promise<SupabaseClient> {
  const client = open(access, access.anonKey);
  const email = `${randomUUID()}@example.org`;
  const { user } = dataOrThrow(await client.auth.signUp({ email, password: PASSWORD }));
  if (!user) throw new Error('the answer to a sign-up has no user');
  ledger.users.set(email, user.id);
  return client;
}

async function writeRow(client: SupabaseClient, ledger: Ledger): Promise<void> {
  const id = randomUUID();
  const text = `note ${id}`;
  dataOrThrow(await client.from('notes').insert({ id, text }));
  ledger.rows.set(id, text);
}

async function writeObject(client: SupabaseClient, ledger: Ledger): Promise<void> {
  const bytes = randomBytes(Math.floor(Math.random() * MAX_OBJECT_BYTES));
  const key = `${randomUUID()}.bin`;
  dataOrThrow(await client.storage.from(BUCKET).upload(key, bytes));
  ledger.objects.set(key, hashOf(bytes));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the data of a response of the official client. Throws its error. */
function dataOrThrow<T>({ data, error }: { data: T; error: Error | { message: string } | null }): T {
  if (error) throw new Error(error.message || String(error), { cause: error });
  return data;
}

function times<T>(count: number, create: () => T): T[] {
  return Array.from({ length: count }, create);
}

async function forEachAtOnce<T>(items: readonly T[], visit: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    times(CHECKS_AT_ONCE, async () => {
      for (const item of queue) await visit(item);
    }),
  );
}
