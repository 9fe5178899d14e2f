/** The testbed: an instance with its data, the sinks of its messages, and its well-behaved clients. */
import { type Database, openDatabase } from '@greenroom/postgres';
import pg from 'pg';
import { PASSWORD } from '../../auth/people.ts';
import { readKeys, temporaryFolder } from '../../measure/process.ts';
import type { Account, Victim } from '../account.ts';
import { type Clients, startClients } from '../clients/client-process.ts';
import { freePort } from './free-port.ts';
import { insertAccounts } from './people.ts';
import { createPng } from './png.ts';
import { DEEP_OBJECTS, SCHEMA } from './schema.ts';
import { instanceSettings, type Profile, PUBLIC_URL } from './settings.ts';
import { startSmsSink } from './sms-sink.ts';
import { startSmtpSink } from './smtp-sink.ts';
import { startTarget, type Target } from './target.ts';

const PEOPLE = 60;
const PICTURE_PIXELS = 6000;
const SHARED_BYTES = 10 * 1024;

/** A running testbed. */
export interface Testbed extends AsyncDisposable {
  anonKey: string;
  clients: Clients;
  target(): Target;
  /** Stops the server if it still runs, and restarts it with the same port and data. */
  restart(): Promise<void>;
  addAccounts(group: string, count: number): Promise<Account[]>;
  /** Creates accounts with a pending recovery code. */
  addVictims(group: string, count: number): Promise<Victim[]>;
  /** Counts the messages that the instance has written so far. */
  countMessages(): Promise<{ mails: number; sms: number }>;
}

/** Starts a testbed. */
export async function openTestbed(profile: Profile): Promise<Testbed> {
  const opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const smtp = await startSmtpSink();
  opened.defer(() => smtp.close());
  const sms = await startSmsSink();
  opened.defer(() => sms.close());
  const ports = { http: await freePort(), postgres: await freePort(), smtp: smtp.port, sms: sms.port };
  const settings = instanceSettings(profile, ports);
  let target = await startTarget(folder, settings);
  opened.defer(() => target.stop());
  const { url } = target;
  const keys = await readKeys(folder);
  const { ANON_KEY: anonKey = '', SERVICE_ROLE_KEY: serviceKey = '', JWT_SECRET: jwtSecret = '' } = keys;
  const database = openDatabase({ url: keys.DB_URL ?? '', max: 2, applicationName: 'abuse' });
  opened.defer(() => database.close());
  await populate(keys.DB_URL ?? '', { url, serviceKey });
  const people = await insertAccounts(database, jwtSecret, 'person', PEOPLE);
  const clients = await startClients({
    url,
    publicUrl: PUBLIC_URL,
    anonKey,
    password: PASSWORD,
    people: people.map((person, index) => ({ ...person, address: `127.0.1.${index + 1}` })),
  });
  opened.defer(() => clients.stop());
  return {
    anonKey,
    clients,
    target: () => target,
    restart: async () => {
      await target.stop();
      target = await startTarget(folder, settings);
    },
    addAccounts: (group, count) => insertAccounts(database, jwtSecret, group, count),
    addVictims: async (group, count) => {
      const accounts = await insertAccounts(database, jwtSecret, group, count);
      return Promise.all(accounts.map(({ email }) => victim({ url, serviceKey }, email)));
    },
    countMessages: () => countMessages(database),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface Service {
  url: string;
  serviceKey: string;
}

async function populate(databaseUrl: string, service: Service): Promise<void> {
  await post(service, '/storage/v1/bucket', JSON.stringify({ name: 'abuse' }));
  await post(service, '/storage/v1/bucket', JSON.stringify({ name: 'pictures', public: true }));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const text of [SCHEMA, DEEP_OBJECTS, 'analyze']) await client.query(text);
  await client.end();
  const png = createPng(PICTURE_PIXELS);
  await post(service, '/storage/v1/object/pictures/large.png', png, 'image/png');
  const shared = Buffer.alloc(SHARED_BYTES, 'shared');
  await post(service, '/storage/v1/object/abuse/shared.bin', shared, 'application/octet-stream');
}

async function victim(service: Service, email: string): Promise<Victim> {
  const body = JSON.stringify({ type: 'recovery', email });
  const text = await post(service, '/auth/v1/admin/generate_link', body);
  return { email, code: (JSON.parse(text) as { email_otp: string }).email_otp };
}

/** Calls the instance as service_role. */
async function post(
  { url, serviceKey }: Service,
  path: string,
  body: string | Buffer<ArrayBuffer>,
  contentType = 'application/json',
): Promise<string> {
  const headers = {
    apikey: serviceKey,
    authorization: `Bearer ${serviceKey}`,
    'content-type': contentType,
    // After a restart of the server, a kept connection would lead to the stopped process.
    connection: 'close',
  };
  const response = await fetch(url + path, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

async function countMessages(database: Database): Promise<{ mails: number; sms: number }> {
  const [row] = await database.query<{ mails: number; sms: number }>({
    text: `select count(*) filter (where channel = 'mail')::int as mails,
      count(*) filter (where channel <> 'mail')::int as sms from greenroom.messages`,
  });
  return row ?? { mails: 0, sms: 0 };
}
