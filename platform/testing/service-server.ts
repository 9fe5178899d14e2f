/** One service over real sockets with its own database: the common part of the test servers of all services. */

import type { ApiKeys, Keys } from '@greenroom/keys';
import { createLogger, type Logger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';
import { createTestDatabase, type EmptyDatabase, type TestDatabase } from './database.ts';
import { createTestApiKeys, createTestKeys } from './keys.ts';
import { type ListenOptions, listenForTest, type TestServer } from './server.ts';

const SECONDS_OF_TOKENS = 3600;

/** The database of a service: a migrated one, or an empty one on an external PostgreSQL. */
type ServedDatabase = Omit<EmptyDatabase, 'name'>;

/** Options of {@link prepareService}. */
interface PrepareOptions<Served extends ServedDatabase> {
  /** SQL to run as superuser before the service opens. */
  sql?: string | undefined;
  /** An existing database, which its creator drops. Default: a migrated database that is created and dropped. */
  database?: Served | undefined;
  /** Keys of another server on the same database. Default: new keys. */
  keys?: Keys | undefined;
  log?: Logger | undefined;
}

/** The objects with which a service is opened. */
interface ServiceParts<Served extends ServedDatabase> {
  database: Served;
  keys: Keys;
  apiKeys: ApiKeys;
  log: Logger;
  /** Disposes of its resources in reverse order when the server closes. */
  closing: AsyncDisposableStack;
}

/** Creates the objects that a service needs before it opens. */
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

/** Starts the server of an open service. */
export async function listenForService<Served extends ServedDatabase>(
  parts: ServiceParts<Served>,
  register: (server: FastifyInstance) => Promise<void>,
  options?: ListenOptions,
): Promise<ListeningService<Served>> {
  const server = await listenForTest(register, parts.log, options);
  parts.closing.defer(() => server.close());
  return { ...parts, server };
}

/** The parts of a {@link ServiceServer}. */
export type ListeningService<Served extends ServedDatabase = TestDatabase> = ServiceParts<Served> & {
  server: TestServer;
};

export class ServiceServer<Served extends ServedDatabase = TestDatabase> {
  readonly database: Served;
  readonly keys: Keys;
  readonly apiKeys: ApiKeys;
  readonly fastify: FastifyInstance;
  /** Base URL for official clients. */
  readonly apiUrl: string;
  /** URL of the service, without a trailing slash. */
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

  /** Creates a token for a signed-in user. */
  token(claims: Record<string, unknown> = {}): Promise<string> {
    const exp = Math.floor(Date.now() / 1000) + SECONDS_OF_TOKENS;
    return this.keys.sign({ role: 'authenticated', exp, ...claims });
  }

  /** Runs statements as superuser. */
  run(sql: string): Promise<void> {
    return this.database.run(sql);
  }

  /** Reads rows as superuser. */
  rows<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.admin.query<Row>({ text, values });
  }

  close(): Promise<void> {
    return this.#closing.disposeAsync();
  }
}
