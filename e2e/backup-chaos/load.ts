/** The load: clients that sign up, and write rows, objects and messages of queues through the official client. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { pick, type Random, seededRandom } from '../crash/random.ts';
import type { Access } from '../crash/writers.ts';
import type { Journal, Kind } from './journal.ts';

export const BUCKET = 'files';
export const QUEUE = 'orders';
export const PASSWORD = 'correct horse battery';
export const MIGRATION = `
  create table public.notes (id uuid primary key, text text not null);
  grant all on public.notes to service_role;
  insert into storage.buckets (id, name) values ('${BUCKET}', '${BUCKET}');
  create extension pgmq;
  select pgmq.create('${QUEUE}');
`;

const CLIENTS: Readonly<Record<Kind, number>> = { row: 2, object: 3, user: 1, message: 1 };
/** Whether clients go on with the items of earlier loads. */
const IS_CONTINUED: Readonly<Record<Kind, boolean>> = {
  row: true,
  object: true,
  user: false,
  message: false,
};
/** Values of users and of messages. */
export const SIGNED_UP = 'signed up';
export const QUEUED = 'queued';
export const ARCHIVED = 'archived';
const DELETED_USERS = 0.3;
const PAUSE_MS = 15;
const PAUSE_AFTER_FAILURE_MS = 100;
const REQUEST_TIMEOUT_MS = 10_000;
/** Items that each client keeps; beyond that, it deletes more than it creates. */
const KEPT_ITEMS = 30;
const MAX_OBJECT_BYTES = 60_000;

/** Clients that write. */
export interface RunningLoad {
  /** From now on, a request may fail. */
  expectFailures(): void;
  /** Resolves with failures that were not expected, when each client has ended. */
  stop(): Promise<string[]>;
}

/** Returns a client that repeats nothing and keeps no session. */
export function openClient({ url }: Access, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }),
    },
  });
}

/** Starts all clients. */
export function startLoad(access: Access, journal: Journal, seed: number): RunningLoad {
  const service = openClient(access, access.serviceKey);
  const writers: Readonly<Record<Kind, (client: ClientState) => Promise<void>>> = {
    row: (client) => writeRow(client, service),
    object: (client) => writeObject(client, service),
    user: (client) => writeUser(client, access, service),
    message: (client) => writeMessage(client, service),
  };
  let isStopped = false;
  let mayFail = false;
  const failures: string[] = [];
  const run = async (client: ClientState) => {
    while (!isStopped) {
      try {
        await writers[client.kind](client);
        await sleep(PAUSE_MS);
      } catch (error) {
        if (!mayFail) failures.push(`${client.kind}: ${(error as Error).message}`);
        await sleep(PAUSE_AFTER_FAILURE_MS);
      }
    }
  };
  const running = clientsOf(journal, seed).map(run);
  return {
    expectFailures: () => {
      mayFail = true;
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
      return failures;
    },
  };
}

/** A client, and the items that no other client writes. */
interface ClientState {
  kind: Kind;
  random: Random;
  journal: Journal;
  /** Items that exist. */
  items: string[];
}

/** Divides the existing rows and objects among the clients. Users and messages of earlier loads do not change any more. */
function clientsOf(journal: Journal, seed: number): ClientState[] {
  const kinds = Object.entries(CLIENTS) as [Kind, number][];
  return kinds.flatMap(([kind, count], order) =>
    Array.from({ length: count }, (_, number) => ({
      kind,
      random: seededRandom(seed + 16 * order + number),
      journal,
      items: IS_CONTINUED[kind]
        ? journal.existing(kind).filter((_id, index) => index % count === number)
        : [],
    })),
  );
}

/** Removes a random item from the list and returns it. It returns to the list after a write that was acknowledged. */
function takeItem({ items, random }: ClientState): string {
  const [id = ''] = items.splice(Math.floor(random() * items.length), 1);
  return id;
}

/** Chooses between a new item and a change or removal of an existing one. */
function nextAction({ items, random }: ClientState): 'create' | 'change' | 'remove' {
  if (items.length === 0) return 'create';
  return pick(
    random,
    items.length < KEPT_ITEMS ? ['create', 'create', 'change', 'remove'] : ['change', 'remove'],
  );
}

async function writeRow(client: ClientState, service: SupabaseClient): Promise<void> {
  const { journal, items } = client;
  const action = nextAction(client);
  const notes = service.from('notes');
  const id = action === 'create' ? randomUUID() : takeItem(client);
  const text = `text ${randomUUID()}`;
  if (action === 'remove') {
    await journal.write('row', id, undefined, () => done(notes.delete().eq('id', id)));
    return;
  }
  const request = action === 'create' ? notes.insert({ id, text }) : notes.update({ text }).eq('id', id);
  await journal.write('row', id, text, () => done(request));
  items.push(id);
}

async function writeObject(client: ClientState, service: SupabaseClient): Promise<void> {
  const { journal, items, random } = client;
  const action = nextAction(client);
  const bucket = service.storage.from(BUCKET);
  const key = action === 'create' ? `${randomUUID()}.bin` : takeItem(client);
  if (action === 'remove') {
    await journal.write('object', key, undefined, () => done(bucket.remove([key])));
    return;
  }
  const bytes = Buffer.alloc(36 + Math.floor(random() * MAX_OBJECT_BYTES), randomUUID());
  await journal.write('object', key, hashOf(bytes), () => done(bucket.upload(key, bytes, { upsert: true })));
  items.push(key);
}

async function writeUser(client: ClientState, access: Access, service: SupabaseClient): Promise<void> {
  const { journal, items, random } = client;
  if (items.length > 1 && random() < DELETED_USERS) {
    const [email = '', id = ''] = takeItem(client).split(' ');
    await journal.write('user', email, undefined, () => done(service.auth.admin.deleteUser(id)));
    return;
  }
  const email = `${randomUUID()}@example.org`;
  const visitor = openClient(access, access.anonKey);
  let id: string | undefined;
  await journal.write('user', email, SIGNED_UP, async () => {
    id = (await done(visitor.auth.signUp({ email, password: PASSWORD }))).data.user?.id;
  });
  items.push(`${email} ${id}`);
}

/** Messages are known by a text in them, because the database chooses their ids. */
async function writeMessage(client: ClientState, service: SupabaseClient): Promise<void> {
  const { journal, items } = client;
  const action = nextAction(client);
  const queues = service.schema('pgmq_public');
  if (action === 'create') {
    const name = randomUUID();
    const message = { queue_name: QUEUE, message: { name } };
    let id: unknown;
    await journal.write('message', name, QUEUED, async () => {
      [id] = (await done(queues.rpc('send', message))).data as unknown[];
    });
    items.push(`${name} ${id}`);
    return;
  }
  const [name = '', id] = takeItem(client).split(' ');
  const message = { queue_name: QUEUE, message_id: Number(id) };
  const [value, request] = action === 'change' ? [ARCHIVED, 'archive'] : [undefined, 'delete'];
  await journal.write('message', name, value, () => done(queues.rpc(request, message)));
}

/** Rejects with the error of a response. */
async function done<A extends { error: { message: string } | null }>(request: PromiseLike<A>): Promise<A> {
  const answer = await request;
  if (answer.error) throw new Error(answer.error.message || String(answer.error), { cause: answer.error });
  return answer;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}
