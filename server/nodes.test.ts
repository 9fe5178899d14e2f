/** Two processes on one PostgreSQL, connected by it or by Redis, and official clients on both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKeys, generateKeyFile, type KeyFile } from '@greenroom/keys';
import {
  type Database,
  type EmbeddedPostgres,
  openDatabase,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { freePort, startTestRedis, type TestRedis, WITHOUT_REDIS } from '@greenroom/testing';
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SCRIPT = new URL('testing/instance-process.ts', import.meta.url).pathname;
const PATIENCE = { timeout: 50_000, interval: 10 };
/** Four processes start, which takes a busy machine a while. */
const START_MS = 240_000;
const TEST_MS = 100_000;
const TALK_MS = 20;

/** How the nodes of an instance communicate. */
const WAYS = ['PostgreSQL', 'Redis'] as const;
const triedWays = WAYS.filter((way) => way !== 'Redis' || WITHOUT_REDIS === undefined);

interface Node {
  url: string;
  child: ChildProcess;
  /** Lines of its log. */
  log: string[];
}

/** Two nodes on their own database, and one address for both. */
interface Instance {
  nodes: [Node, Node];
  balancer: { url: string; server: Server };
  admin: Database;
}

let folder: string;
let postgres: EmbeddedPostgres;
let redis: TestRedis | undefined;
let keys: KeyFile;
let anon: string;
const instances = new Map<string, Instance>();
const clients: SupabaseClient[] = [];
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-processes-'));
  await chmod(folder, 0o711);
  keys = await generateKeyFile(Math.floor(Date.now() / 1000));
  ({ anon } = await createApiKeys(keys));
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
  });
  const maintenance = openDatabase({ url: postgres.url, max: 1, applicationName: 'test' });
  // After a crash everything is flushed to the disk, which takes a busy machine seconds.
  await maintenance.query({ text: 'alter system set fsync = off' });
  await maintenance.query({ text: 'select pg_reload_conf()' });
  await maintenance.close();
  if (WITHOUT_REDIS === undefined) redis = await startTestRedis();
  const begun = [];
  // Roles belong to the whole server: the first nodes create them one after the other.
  for (const way of triedWays) begun.push(await beginInstance(way));
  await Promise.all(begun.map(async ({ way, join }) => instances.set(way, await join())));
}, START_MS);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.realtime.disconnect()));
  for (const { nodes, balancer, admin } of instances.values()) {
    balancer.server.close();
    await Promise.all([admin.close(), ...nodes.map(({ child }) => stop(child))]);
  }
  // In case not all nodes have started.
  for (const child of children) child.kill('SIGKILL');
  await redis?.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}, START_MS);

/** Starts the first node; `join` starts the second one. */
async function beginInstance(way: string): Promise<{ way: string; join(): Promise<Instance> }> {
  const url = new URL(postgres.url);
  const maintenance = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
  await maintenance.query({ text: `create database ${way.toLowerCase()}` });
  await maintenance.close();
  url.pathname = `/${way.toLowerCase()}`;
  const admin = openDatabase({ url: url.href, max: 1, applicationName: 'test', onIdleError: () => {} });
  const settings = {
    DATABASE_URL: url.href,
    ...(way === 'Redis' && { REDIS_URL: redis?.url ?? '' }),
  };
  const first = await startNode(`${way}-0`, settings);
  await admin.query({ text: 'create policy anybody on realtime.messages for all to anon using (true)' });
  return {
    way,
    async join() {
      const nodes: [Node, Node] = [first, await startNode(`${way}-1`, settings)];
      return { nodes, balancer: await openBalancer(nodes), admin };
    },
  };
}

async function startNode(name: string, settings: Record<string, string>): Promise<Node> {
  const data = join(folder, name);
  await mkdir(data);
  await writeFile(join(data, 'keys.json'), JSON.stringify(keys));
  const port = await freePort();
  const child = spawn(process.execPath, [SCRIPT], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      GREENROOM_DATA_DIR: data,
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^ready (\S+)$/.exec(line)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code}: ${log.join('\n')}`)));
  });
  return { url, child, log };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Forwards to the first node that accepts connections. */
async function openBalancer(nodes: readonly Node[]): Promise<Instance['balancer']> {
  const ports = nodes.map(({ url }) => Number(new URL(url).port));
  const server = createServer((near) => {
    near.on('error', () => {});
    const lead = ([port, ...others]: number[]) => {
      if (port === undefined) return near.destroy();
      const far = connect(port, '127.0.0.1', () => near.pipe(far).pipe(near));
      far.once('error', () => (far.bytesRead > 0 ? near.destroy() : lead(others)));
      far.on('close', () => far.bytesRead > 0 && near.destroy());
      near.on('close', () => far.destroy());
    };
    lead(ports);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
}

/** A member of a channel, who sends the presence state whenever a member joins. */
class Guest {
  readonly name: string;
  readonly channel: RealtimeChannel;
  /** Received numbers, by sender. */
  readonly heard: string[] = [];
  /** Numbers that were sent and acknowledged. */
  readonly acknowledged: string[] = [];
  #said = 0;
  #isTalking = false;

  private constructor(name: string, channel: RealtimeChannel) {
    this.name = name;
    this.channel = channel;
    channel.on('broadcast', { event: 'said' }, ({ payload }) => this.heard.push(payload.text));
    channel.on('presence', { event: 'sync' }, () => {});
  }

  static async enter(url: string, room: string, name: string, isPrivate = false): Promise<Guest> {
    const client = createClient(url, anon, { realtime: { reconnectAfterMs: () => 200 } });
    clients.push(client);
    const config = { broadcast: { ack: true }, presence: { key: name }, private: isPrivate };
    const guest = new Guest(name, client.channel(room, { config }));
    await new Promise<void>((resolve) => {
      guest.channel.subscribe((status) => {
        if (status === 'SUBSCRIBED') void guest.channel.track({ name }).then(() => resolve());
      });
    });
    return guest;
  }

  /** Returns the present members, each with the number of presences. */
  get present(): Record<string, number> {
    const state = Object.entries(this.channel.presenceState());
    return Object.fromEntries(state.map(([key, presences]) => [key, presences.length]));
  }

  async sendNumber(): Promise<string> {
    this.#said += 1;
    const text = `${this.name} ${this.#said}`;
    const status = await this.channel.send({ type: 'broadcast', event: 'said', payload: { text } });
    if (status === 'ok') this.acknowledged.push(text);
    return text;
  }

  /** Sends numbers until it is stopped. */
  startTalking(): void {
    this.#isTalking = true;
    void (async () => {
      while (this.#isTalking) {
        // Without a socket the client would send it over HTTP.
        if (this.channel.state === 'joined') void this.sendNumber();
        await sleep(TALK_MS);
      }
    })();
  }

  stopTalking(): void {
    this.#isTalking = false;
  }

  /** Expects that all acknowledged numbers of a sender were received, and none twice. */
  hasHeard({ name, acknowledged }: Guest): boolean {
    const ofThem = this.heard.filter((text) => text.startsWith(`${name} `));
    expect(ofThem.length).toBe(new Set(ofThem).size);
    return acknowledged.every((text) => ofThem.includes(text));
  }
}

if (WITHOUT_REDIS !== undefined) it.skip(`Redis is not tested: ${WITHOUT_REDIS}`, () => {});

describe.each(triedWays)('two processes joined by %s', { timeout: TEST_MS }, (way) => {
  const instance = () => instances.get(way) as Instance;

  it('share broadcasts of clients and over HTTP, in public and in private', async () => {
    const [one, two] = instance().nodes;
    for (const isPrivate of [false, true]) {
      const ada = await Guest.enter(one.url, 'hall', 'ada', isPrivate);
      const bob = await Guest.enter(two.url, 'hall', 'bob', isPrivate);
      const texts = [await ada.sendNumber(), await bob.sendNumber()];
      expect([ada.acknowledged, bob.acknowledged]).toEqual([[texts[0]], [texts[1]]]);
      await ada.channel.httpSend('said', { text: 'ada by HTTP' });
      // Messages of one node keep their order; between nodes there is no order.
      await expect
        .poll(() => [ada.heard.toSorted(), bob.heard], PATIENCE)
        .toEqual([
          ['ada by HTTP', texts[1]],
          [texts[0], 'ada by HTTP'],
        ]);
      await instance().admin.query({
        text: `select realtime.send('{"text": "from SQL"}', 'said', 'hall', $1)`,
        values: [isPrivate],
      });
      await expect
        .poll(() => [ada.heard.slice(2), bob.heard.slice(2)], PATIENCE)
        .toEqual([['from SQL'], ['from SQL']]);
    }
  });

  it('warn in the log of the second node that objects are stored separately', () => {
    const [first, second] = instances.get(way)?.nodes ?? [];
    const isWarning = (line: string) => line.includes('stores objects in a local folder');
    expect([first?.log.filter(isWarning).length, second?.log.filter(isWarning).length]).toEqual([0, 1]);
  });

  it('report the number of nodes', async () => {
    for (const { url } of instance().nodes) {
      const request = async (path: string) => fetch(url + path, { headers: { connection: 'close' } });
      expect(await (await request('/health')).json()).toMatchObject({ status: 'ok', parts: { nodes: 'ok' } });
      const metrics = await (await request('/metrics')).text();
      expect(metrics).toContain('greenroom_realtime_nodes 2\n');
      expect(metrics).toContain('greenroom_realtime_nodes_dropped_total 0\n');
    }
  });
});

describe('if a process dies', { timeout: TEST_MS }, () => {
  interface Talk {
    instance: Instance;
    ada: Guest;
    bob: Guest;
    cleo: Guest;
  }
  let talks: Talk[];

  /** The address of Ada and Cleo leads to both nodes, and they are on the first one; Bob is on the second. */
  it('members on both nodes are present for each other', async () => {
    talks = await Promise.all(
      [...instances.values()].map(async (instance) => {
        const [one, two] = instance.nodes;
        const ada = await Guest.enter(one.url, 'yard', 'ada');
        const bob = await Guest.enter(two.url, 'yard', 'bob');
        const cleo = await Guest.enter(instance.balancer.url, 'yard', 'cleo');
        return { instance, ada, bob, cleo };
      }),
    );
    const allMembers = { ada: 1, bob: 1, cleo: 1 };
    for (const { ada, bob, cleo } of talks) {
      await expect
        .poll(() => [ada.present, bob.present, cleo.present], PATIENCE)
        .toEqual([allMembers, allMembers, allMembers]);
    }
  });

  it('acknowledged messages are received once, although PostgreSQL was killed', async () => {
    for (const { ada, bob } of talks) for (const guest of [ada, bob]) guest.startTalking();
    await sleep(300);
    process.kill(postgres.pid() ?? 0, 'SIGKILL');
    const before = talks.map(({ ada, bob }) => [ada, bob].map((guest) => guest.acknowledged.length));
    for (const [index, { ada, bob }] of talks.entries()) {
      for (const [who, guest] of [ada, bob].entries()) {
        const enough = (before[index]?.[who] ?? 0) + 20;
        await expect.poll(() => guest.acknowledged.length > enough, PATIENCE).toBe(true);
        guest.stopTalking();
      }
      await expect.poll(() => [bob.hasHeard(ada), ada.hasHeard(bob)], PATIENCE).toEqual([true, true]);
      expect(bob.present).toEqual({ ada: 1, bob: 1, cleo: 1 });
    }
  });

  it('clients of a killed node connect to the other node, and its acknowledged messages are not lost', async () => {
    for (const { ada, cleo, bob } of talks) for (const guest of [ada, cleo, bob]) guest.startTalking();
    await sleep(300);
    for (const { instance } of talks) instance.nodes[0].child.kill('SIGKILL');
    for (const { ada, bob, cleo } of talks) {
      await expect.poll(() => bob.present, PATIENCE).toEqual({ bob: 1, cleo: 1 });
      await expect.poll(() => cleo.present, PATIENCE).toEqual({ bob: 1, cleo: 1 });
      for (const guest of [ada, bob, cleo]) guest.stopTalking();
      const texts = [await bob.sendNumber(), await cleo.sendNumber()];
      await expect
        .poll(() => [cleo.heard.includes(texts[0] ?? ''), bob.heard.includes(texts[1] ?? '')], PATIENCE)
        .toEqual([true, true]);
      expect([bob.hasHeard(ada), bob.hasHeard(cleo)]).toEqual([true, true]);
      // Cleo was disconnected for a moment: she may have missed a message, and has received none twice.
      cleo.hasHeard(bob);
    }
  });
});
