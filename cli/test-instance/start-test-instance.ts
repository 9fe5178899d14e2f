/** Starts instances for tests. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { GreenroomError } from '../embedding/greenroom-error.ts';
import { type InstanceProcess, startInstanceProcess } from '../embedding/instance-process.ts';
import { findProgram } from '../embedding/program.ts';
import type { InstanceDetails } from '../embedding/protocol.ts';
import { createTestClient, type UntypedDatabase } from './client.ts';
import { createClock, type TestClock } from './clock.ts';
import { createMailbox, type TestMailbox } from './mailbox.ts';
import { SPEC_VARIABLE, type TestInstanceSpec } from './protocol.ts';
import { signInAs, type TestUser, type UserOptions } from './users.ts';

/** Options of {@link startTestInstance}. */
export interface TestInstanceOptions {
  /** Folder of the project. Default: the current folder, if it is a project. */
  project?: string;
  /** Whether the pages are served. Default: false, which starts faster. */
  pages?: boolean;
  /** Settings by the names of their variables. They override those of `config.toml`, env files and the environment. */
  settings?: Readonly<Record<string, string>>;
  /** Receives each line of output, including warnings and errors of the log. Default: they are discarded. */
  onLine?: (line: string) => void;
}

/** A running instance with its own database, which is removed when it is closed. */
export interface TestInstance<Database = UntypedDatabase> extends InstanceDetails, AsyncDisposable {
  /** URL of the HTTP API of the mailbox, compatible with Mailpit. */
  mailboxUrl: string;
  /** A client without a session, with the anonymous key. */
  readonly supabase: SupabaseClient<Database>;
  /** A client with the service key, which bypasses row-level security. */
  readonly admin: SupabaseClient<Database>;
  /** Signs a user in, whose account is created if it does not exist. */
  asUser(options?: UserOptions): Promise<TestUser<Database>>;
  /** The mails that the instance has sent; none leaves the machine. */
  mailbox(): TestMailbox;
  /** The clock of the instance and its database. */
  clock(): TestClock;
  /**
   * Replaces the database and the files by those of the start, and the clock by the real time. Addresses and keys stay; open
   * sockets end.
   */
  reset(): Promise<void>;
  /** Stops the instance and removes its data. */
  close(): Promise<void>;
}

/**
 * Starts an instance of a project on free ports, with a copy of a database that has its migrations and seeds. It is removed when
 * it is closed, and when this process ends, also if that is killed.
 *
 * ```ts
 * const instance = await startTestInstance();
 * const ada = await instance.asUser({ email: 'ada@example.org' });
 * await ada.client.from('todos').insert({ title: 'Write a test' });
 * await instance.close();
 * ```
 *
 * @throws GreenroomError with the message that `greenroom start` prints
 */
export async function startTestInstance<Database = UntypedDatabase>(
  options: TestInstanceOptions = {},
): Promise<TestInstance<Database>> {
  let current = await startProcess(options, {});
  const { details } = current;
  const { apiUrl, anonKey, serviceRoleKey } = details;
  const newClient = () => createTestClient<Database>(apiUrl, anonKey);
  const admin = createTestClient<Database>(apiUrl, serviceRoleKey);
  const pages = { url: details.url, cookieName: cookieName(options, apiUrl) };
  const api = { url: apiUrl, anonKey };
  const close = () => current.close();
  const clock = createClock(() => current.child);
  return {
    ...details,
    mailboxUrl: details.mailboxUrl ?? '',
    supabase: newClient(),
    admin,
    asUser: (user = {}) => signInAs({ admin, client: newClient(), pages, api }, user),
    mailbox: () => createMailbox(details.mailboxUrl ?? ''),
    clock: () => clock,
    async reset() {
      await close();
      current = await startProcess(options, portsOf(details));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function startProcess(
  { project, pages = false, settings = {}, onLine }: TestInstanceOptions,
  ports: Readonly<Record<string, string>>,
): Promise<InstanceProcess> {
  const { node, entry } = findProgram({ built: 'test-instance.js', source: 'test-instance/process/main.ts' });
  const spec: TestInstanceSpec = { project, pages, settings: { ...settings, ...ports } };
  return startInstanceProcess({
    node,
    args: [entry],
    settings: { [SPEC_VARIABLE]: JSON.stringify(spec) },
    onLine,
  });
}

/** Returns the name of the session cookie, which depends on the host by default. */
function cookieName({ settings = {} }: TestInstanceOptions, apiUrl: string): string {
  return settings.GREENROOM_COOKIE_PREFIX ?? `sb-${new URL(apiUrl).hostname.split('.')[0]}-auth-token`;
}

/** Returns the settings with which another instance has the same addresses. */
function portsOf({ apiUrl, databaseUrl, mailboxUrl }: InstanceDetails): Record<string, string> {
  if (mailboxUrl === undefined) throw new GreenroomError('Error', 'the instance has no mailbox');
  const port = (url: string) => new URL(url).port;
  return {
    PORT: port(apiUrl),
    GREENROOM_DB_PORT: port(databaseUrl),
    GREENROOM_MAILBOX_PORT: port(mailboxUrl),
  };
}
