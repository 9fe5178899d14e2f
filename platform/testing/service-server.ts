/** One service over real sockets on a database of its own: what the test servers of all services have in common. */

import type { ApiKeys, Keys } from '@greenroom/keys';
import { createLogger, type Logger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';
import { createTestDatabase, type EmptyDatabase, type TestDatabase } from './database.ts';
import { createTestApiKeys, createTestKeys } from './keys.ts';
import { type ListenOptions, listenForTest, type TestServer } from './server.ts';

const SECONDS_OF_TOKENS = 3600;

/** The database of a service: a migrated one, or an empty one in a PostgreSQL of somebody else. */
type ServedDatabase = Omit<EmptyDatabase, 'name'>;

/** Options of {@link prepareService}. */
interface PrepareOptions<Served extends ServedDatabase> {
  /** Run as superuser before the service opens. */
  sql?: string | undefined;
  /** A database that exists already; whoever made it drops it. Without one, a migrated one is made and dropped. */
  database?: Served | undefined;
  /** Of another server on the same database. Without them, new ones are made. */
  keys?: Keys | undefined;
  log?: Logger | undefined;
}

/** What a service is opened with. */
interface ServiceParts<Served extends ServedDatabase> {
  database: Served;
  keys: Keys;
  apiKeys: ApiKeys;
  log: Logger;
  /** Closes what is added to it, the last first, when the server closes. */
  closing: AsyncDisposableStack;
}

/** Makes what a service needs before it opens. */
export async function prepareService<Served extends ServedDatabase = TestDatabase>({
  sql,
  database: existing,
  keys,
  log = createLogger('silent'),
}: PrepareOptions<Served> = {}): Promise<ServiceParts<Served>> {
  const closing = new AsyncDisposableStack();
  const database = existing ?? ((await createTestDatabase()) as ServedDatabase as Served);
  if (existing === undefined) closing.defer(() => database.drop());
  if (sql !== undefined) await database.run(sql);
  return {
    database,
    keys: keys ?? (await createTestKeys()),
    apiKeys: await createTestApiKeys(),
    log,
    closing,
  };
}

/** Listens for a service that is open. */
export async function listenForService<Served extends ServedDatabase>(
  parts: ServiceParts<Served>,
  register: (server: FastifyInstance) => Promise<void>,
  options?: ListenOptions,
): Promise<ListeningService<Served>> {
  const server = await listenForTest(register, parts.log, options);
  parts.closing.defer(() => server.close());
  return { ...parts, server };
}

/** What a {@link ServiceServer} is made of. */
export type ListeningService<Served extends ServedDatabase = TestDatabase> = ServiceParts<Served> & {
  server: TestServer;
};

/** A running service. */
export class ServiceServer<Served extends ServedDatabase = TestDatabase> {
  readonly database: Served;
  readonly keys: Keys;
  readonly apiKeys: ApiKeys;
  readonly fastify: FastifyInstance;
  /** What official clients are made with. */
  readonly apiUrl: string;
  /** Of the service, without a slash at the end. */
  readonly url: string;
  readonly #closing: AsyncDisposableStack;

  /** @param prefix path of the service, e.g. `/storage/v1` */
  constructor(prefix: string, parts: ListeningService<Served>) {
    this.database = parts.database;
    this.keys = parts.keys;
    this.apiKeys = parts.apiKeys;
    this.fastify = parts.server.server;
    this.apiUrl = parts.server.url;
    this.url = parts.server.url + prefix;
    this.#closing = parts.closing;
  }

  /** A token for somebody who has signed in. */
  token(claims: Record<string, unknown> = {}): Promise<string> {
    const exp = Math.floor(Date.now() / 1000) + SECONDS_OF_TOKENS;
    return this.keys.sign({ role: 'authenticated', exp, ...claims });
  }

  /** Runs statements as superuser. */
  run(sql: string): Promise<void> {
    return this.database.run(sql);
  }

  /** Rows that a superuser sees. */
  rows<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.admin.query<Row>({ text, values });
  }

  close(): Promise<void> {
    return this.#closing.disposeAsync();
  }
}
