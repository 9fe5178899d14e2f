/** For tests of the app's specification: a whole instance without pages, and official clients of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { type Database, openDatabase } from '@greenroom/postgres';
import { freePort } from '@greenroom/testing';
import {
  createClient,
  type Session,
  type SupabaseClient,
  type SupabaseClientOptions,
} from '@supabase/supabase-js';
import { loadConfig } from '../settings.ts';
import { type Greenroom, startGreenroom } from '../start.ts';
import { demoProject } from './demo.ts';

/** The password of all accounts. */
export const PASSWORD = 'correct horse';

/** A request of a client. */
interface Call {
  /** E.g. `POST /auth/v1/token?grant_type=password`. */
  line: string;
  apikey: string | null;
  authorization: string | null;
}

type ClientOptions = Pick<SupabaseClientOptions<'public'>, 'auth' | 'realtime'>;

/** A client with the session of a new account. */
interface SignedIn {
  client: SupabaseClient;
  email: string;
  id: string;
  session: Session;
}

/** A running instance, and the requests of its clients. */
export interface OfficialInstance {
  greenroom: Greenroom;
  /** The settings of the start. */
  source: ConfigSource;
  database: Database;
  /** The requests of all clients; tests empty it. */
  calls: Call[];
  /** Responds in place of the instance, like a gateway in front of it; undefined lets requests through. */
  gateway: ((request: Request) => Response | undefined) | undefined;
  /** Sends a request through the gateway, and records it. */
  fetch: typeof fetch;
  /** Creates a client without a session, which stores none. Default key: the anonymous one. */
  newClient(key?: string, options?: ClientOptions): SupabaseClient;
  /** Creates a client with the service key. */
  service(): SupabaseClient;
  /** Returns addresses that no account has. */
  newPerson(): { email: string; phone: string };
  /** Signs up a new account, with `client` if it is given, and empties `calls` afterwards. */
  signedIn(client?: SupabaseClient): Promise<SignedIn>;
  /** Returns the code of the newest message to a recipient; empty if none was sent. */
  codeTo(recipient: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts an instance in a separate folder, with these settings in addition to those that shorten signing up. */
export async function startOfficialInstance(
  settings: Record<string, string> = {},
): Promise<OfficialInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-official-'));
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
    GOTRUE_SMS_AUTOCONFIRM: 'true',
    GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
    ...settings,
  });
  const greenroom = await startGreenroom({ config, project: await demoProject(), pages: 'none' });
  const { backend } = greenroom;
  if (!backend) throw new Error('the instance has no backend');
  const database = openDatabase({ url: backend.databaseUrl, max: 1, applicationName: 'test' });
  let userCount = 0;
  const official: OfficialInstance = {
    greenroom,
    source: config.source,
    database,
    calls: [],
    gateway: undefined,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      official.calls.push({
        line: `${request.method} ${pathname}${search}`,
        apikey: request.headers.get('apikey'),
        authorization: request.headers.get('authorization'),
      });
      return official.gateway?.(request) ?? fetch(request);
    },
    newClient: (key = backend.apiKeys.anon, options = {}) =>
      createClient(greenroom.url, key, {
        ...options,
        auth: { persistSession: false, autoRefreshToken: false, ...options.auth },
        global: { fetch: official.fetch },
      }),
    service: () => official.newClient(backend.apiKeys.serviceRole),
    newPerson() {
      userCount += 1;
      return {
        email: `person-${userCount}@example.org`,
        phone: `1555010${String(userCount).padStart(4, '0')}`,
      };
    },
    async signedIn(client = official.newClient()) {
      const { email } = official.newPerson();
      const { data, error } = await client.auth.signUp({ email, password: PASSWORD });
      if (error) throw error;
      if (!data.session) throw new Error('sign-up returned no session');
      official.calls = [];
      return { client, email, id: data.session.user.id, session: data.session };
    },
    async codeTo(recipient) {
      const [message] = await database.query<{ text: string }>({
        text: 'select text_body as text from greenroom.messages where recipient = $1 order by created_at desc limit 1',
        values: [recipient],
      });
      return /\b\d{6}\b/.exec(message?.text ?? '')?.[0] ?? '';
    },
    async close() {
      await database.close();
      await greenroom.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return official;
}
