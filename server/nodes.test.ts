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
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedMetrics, sentMetrics } from './testing/documented-metrics.ts';

const SCRIPT = new URL('testing/instance-process.ts', import.meta.url).pathname;
const POLL = { timeout: 50_000, interval: 10 };
/** Four processes start, which takes a busy machine a while. */
const START_MS = 240_000;
const TEST_MS = 100_000;
const SEND_INTERVAL_MS = 20;

/** How the nodes of an instance communicate. */
const TRANSPORTS = ['PostgreSQL', 'Redis'] as const;
const transports = TRANSPORTS.filter((transport) => transport !== 'Redis' || WITHOUT_REDIS === undefined);

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
    findTemplate: findEmptyCluster,
  });
  if (WITHOUT_REDIS === undefined) redis = await startTestRedis();
  const begun = [];
  // Roles belong to the whole server: the first nodes create them one after the other.
  for (const transport of transports) begun.push(await beginInstance(transport));
  await Promise.all(begun.map(async ({ transport, join }) => instances.set(transport, await join())));
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
async function beginInstance(transport: string): Promise<{ transport: string; join(): Promise<Instance> }> {
  const url = new URL(postgres.superuser.url);
  const maintenance = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
  await maintenance.query({ text: `create database ${transport.toLowerCase()}` });
  await maintenance.close();
  url.pathname = `/${transport.toLowerCase()}`;
  const admin = openDatabase({ url: url.href, max: 1, applicationName: 'test', onIdleError: () => {} });
  const settings = {
    DATABASE_URL: url.href,
    ...(transport === 'Redis' && { REDIS_URL: redis?.url ?? '' }),
  };
  const first = await startNode(`${transport}-0`, settings);
  await admin.query({ text: 'create policy anybody on realtime.messages for all to anon using (true)' });
  return {
    transport,
    async join() {
      const nodes: [Node, Node] = [first, await startNode(`${transport}-1`, settings)];
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
class ChannelMember {
  readonly name: string;
  readonly channel: RealtimeChannel;
  /** Received numbers, by sender. */
  readonly received: string[] = [];
  /** Numbers that were sent and acknowledged. */
  readonly acknowledged: string[] = [];
  #sentCount = 0;
  #isSending = false;

  private constructor(name: string, channel: RealtimeChannel) {
    this.name = name;
    this.channel = channel;
    channel.on('broadcast', { event: 'said' }, ({ payload }) => this.received.push(payload.text));
    channel.on('presence', { event: 'sync' }, () => {});
  }

  static async join(url: string, topic: string, name: string, isPrivate = false): Promise<ChannelMember> {
    const client = createClient(url, anon, { realtime: { reconnectAfterMs: () => 200 } });
    clients.push(client);
    const config = { broadcast: { ack: true }, presence: { key: name }, private: isPrivate };
    const member = new ChannelMember(name, client.channel(topic, { config }));
    await new Promise<void>((resolve) => {
      member.channel.subscribe((status) => {
        if (status === 'SUBSCRIBED') void member.channel.track({ name }).then(() => resolve());
      });
    });
    return member;
  }

  /** Returns the present members, each with the number of presences. */
  get present(): Record<string, number> {
    const state = Object.entries(this.channel.presenceState());
    return Object.fromEntries(state.map(([key, presences]) => [key, presences.length]));
  }

  async sendNumber(): Promise<string> {
    this.#sentCount += 1;
    const text = `${this.name} ${this.#sentCount}`;
    const status = await this.channel.send({ type: 'broadcast', event: 'said', payload: { text } });
    if (status === 'ok') this.acknowledged.push(text);
    return text;
  }

  /** Sends numbers until it is stopped. */
  startSending(): void {
    this.#isSending = true;
    void (async () => {
      while (this.#isSending) {
        // Without a socket the client would send it over HTTP.
        if (this.channel.state === 'joined') void this.sendNumber();
        await sleep(SEND_INTERVAL_MS);
      }
    })();
  }

  stopSending(): void {
    this.#isSending = false;
  }

  /** Expects that all acknowledged numbers of a sender were received, and none twice. */
  hasReceivedAll({ name, acknowledged }: ChannelMember): boolean {
    const fromSender = this.received.filter((text) => text.startsWith(`${name} `));
    expect(fromSender.length).toBe(new Set(fromSender).size);
    return acknowledged.every((text) => fromSender.includes(text));
  }
}

if (WITHOUT_REDIS !== undefined) it.skip(`Redis is not tested: ${WITHOUT_REDIS}`, () => {});

describe.each(transports)('two processes joined by %s', { timeout: TEST_MS }, (transport) => {
  const instance = () => instances.get(transport) as Instance;

  it('share broadcasts of clients and over HTTP, in public and in private', async () => {
    const [one, two] = instance().nodes;
    for (const isPrivate of [false, true]) {
      const ada = await ChannelMember.join(one.url, 'hall', 'ada', isPrivate);
      const bob = await ChannelMember.join(two.url, 'hall', 'bob', isPrivate);
      const texts = [await ada.sendNumber(), await bob.sendNumber()];
      expect([ada.acknowledged, bob.acknowledged]).toEqual([[texts[0]], [texts[1]]]);
      await ada.channel.httpSend('said', { text: 'ada by HTTP' });
      // Messages of one node keep their order; between nodes there is no order.
      await expect
        .poll(() => [ada.received.toSorted(), bob.received], POLL)
        .toEqual([
          ['ada by HTTP', texts[1]],
          [texts[0], 'ada by HTTP'],
        ]);
      await instance().admin.query({
        text: `select realtime.send('{"text": "from SQL"}', 'said', 'hall', $1)`,
        values: [isPrivate],
      });
      await expect
        .poll(() => [ada.received.slice(2), bob.received.slice(2)], POLL)
        .toEqual([['from SQL'], ['from SQL']]);
    }
  });

  it('warn in the log of the second node that objects are stored separately', () => {
    const [first, second] = instances.get(transport)?.nodes ?? [];
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
      // Only a node of several has all metrics but those of backups, which need the embedded database.
      const expected = documentedMetrics().filter((metric) => !metric.startsWith('greenroom_backup_'));
      expect(sentMetrics(metrics)).toEqual(expected);
    }
  });
});

describe('if a process dies', { timeout: TEST_MS }, () => {
  interface Conversation {
    instance: Instance;
    ada: ChannelMember;
    bob: ChannelMember;
    cleo: ChannelMember;
  }
  let conversations: Conversation[];

  /** The address of Ada and Cleo leads to both nodes, and they are on the first one; Bob is on the second. */
  it('members on both nodes are present for each other', async () => {
    conversations = await Promise.all(
      [...instances.values()].map(async (instance) => {
        const [one, two] = instance.nodes;
        const ada = await ChannelMember.join(one.url, 'yard', 'ada');
        const bob = await ChannelMember.join(two.url, 'yard', 'bob');
        const cleo = await ChannelMember.join(instance.balancer.url, 'yard', 'cleo');
        return { instance, ada, bob, cleo };
      }),
    );
    const allMembers = { ada: 1, bob: 1, cleo: 1 };
    for (const { ada, bob, cleo } of conversations) {
      await expect
        .poll(() => [ada.present, bob.present, cleo.present], POLL)
        .toEqual([allMembers, allMembers, allMembers]);
    }
  });

  it('acknowledged messages are received once, although PostgreSQL was killed', async () => {
    for (const { ada, bob } of conversations) for (const member of [ada, bob]) member.startSending();
    await sleep(300);
    process.kill(postgres.pid() ?? 0, 'SIGKILL');
    const before = conversations.map(({ ada, bob }) =>
      [ada, bob].map((member) => member.acknowledged.length),
    );
    for (const [index, { ada, bob }] of conversations.entries()) {
      for (const [position, member] of [ada, bob].entries()) {
        const enough = (before[index]?.[position] ?? 0) + 20;
        await expect.poll(() => member.acknowledged.length > enough, POLL).toBe(true);
        member.stopSending();
      }
      await expect.poll(() => [bob.hasReceivedAll(ada), ada.hasReceivedAll(bob)], POLL).toEqual([true, true]);
      expect(bob.present).toEqual({ ada: 1, bob: 1, cleo: 1 });
    }
  });

  it('clients of a killed node connect to the other node, and its acknowledged messages are not lost', async () => {
    for (const { ada, cleo, bob } of conversations)
      for (const member of [ada, cleo, bob]) member.startSending();
    await sleep(300);
    for (const { instance } of conversations) instance.nodes[0].child.kill('SIGKILL');
    for (const { ada, bob, cleo } of conversations) {
      await expect.poll(() => bob.present, POLL).toEqual({ bob: 1, cleo: 1 });
      await expect.poll(() => cleo.present, POLL).toEqual({ bob: 1, cleo: 1 });
      for (const member of [ada, bob, cleo]) member.stopSending();
      const texts = [await bob.sendNumber(), await cleo.sendNumber()];
      await expect
        .poll(() => [cleo.received.includes(texts[0] ?? ''), bob.received.includes(texts[1] ?? '')], POLL)
        .toEqual([true, true]);
      expect([bob.hasReceivedAll(ada), bob.hasReceivedAll(cleo)]).toEqual([true, true]);
      // Cleo was disconnected for a moment: she may have missed a message, and has received none twice.
      cleo.hasReceivedAll(bob);
    }
  });
});
