/**
 * The permissions of a channel: policies on realtime.messages decide for private channels, public ones permit
 * everything.
 */
import { runCheck } from '../authorize/checks.ts';
import { type Permissions, type Question, readPermissions, writePermissions } from '../authorize/policies.ts';
import type { Session } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { Topic } from '../hub/topic.ts';
import type { SocketClient } from '../limits/client.ts';

const EVERYTHING: Permissions = { broadcast: true, presence: true };

/** The part of a socket that policy checks use. */
interface PermissionPort {
  /** JSON of the handshake's headers, for policies. */
  readonly headers: string;
  readonly client: SocketClient;
}

/** Input of a policy check. */
interface Requested {
  context: Context;
  port: PermissionPort;
  topic: Topic;
  session: Session;
  /** Whether policies for presence are evaluated, too. */
  asksPresence: boolean;
}

/**
 * Loads the read permissions of a new channel. Rejects with `Unauthorized` if there are none, with
 * `PolicyCheckLimitReached`, and with errors of the database.
 */
export async function requirePermissions(requested: Requested): Promise<Permissions> {
  const { topic } = requested;
  if (!topic.isPrivate) return EVERYTHING;
  const permissions = await loadReadPermissions(requested);
  if (!permissions.broadcast && !permissions.presence) {
    const message = `You do not have permissions to read from this Channel topic: ${topic.name}`;
    throw failure('Unauthorized', { message });
  }
  return permissions;
}

function loadReadPermissions(requested: Requested): Promise<Permissions> {
  const { database, limits } = requested.context;
  return runCheck(limits.policyChecks, requested.port.client.keys, () =>
    readPermissions(database, questionOf(requested), (error) => logPolicyError(requested.context, error)),
  );
}

function questionOf({ topic, session, port, asksPresence }: Requested): Question {
  return { topic: topic.name, session, headers: port.headers, asksPresence };
}

function logPolicyError({ log }: Context, error: Error): void {
  log.warn({ err: error }, 'a policy on realtime.messages failed, which counts as a no');
}

/** Options of {@link ChannelPermissions}. */
interface ChannelPermissionsOptions {
  context: Context;
  port: PermissionPort;
  topic: Topic;
  session: Session;
  /** Read permissions of the session. */
  read: Permissions;
  /** Whether the client wants the presence of others. */
  hearsPresence: boolean;
}

/** The permissions of one channel, cached until its token changes. */
export class ChannelPermissions {
  readonly #context: Context;
  readonly #port: PermissionPort;
  readonly #topic: Topic;
  #session: Session;
  #read: Permissions;
  /** Undefined until the client first sends a message. */
  #write: Permissions | undefined;
  #hearsPresence: boolean;

  constructor({ context, port, topic, session, read, hearsPresence }: ChannelPermissionsOptions) {
    this.#context = context;
    this.#port = port;
    this.#topic = topic;
    this.#session = session;
    this.#read = read;
    this.#hearsPresence = hearsPresence;
  }

  get session(): Session {
    return this.#session;
  }

  /** Whether the client receives broadcasts. */
  get receivesBroadcasts(): boolean {
    return this.#read.broadcast;
  }

  /** Whether the client receives the presence of others. */
  get receivesPresence(): boolean {
    return this.#hearsPresence && this.#read.presence;
  }

  /** Whether the client may send messages of this kind. Policies are evaluated once per token. */
  canWrite(extension: keyof Permissions): boolean | Promise<boolean> {
    const known = this.#topic.isPrivate ? this.#write : EVERYTHING;
    return known === undefined ? this.#loadWrite().then((can) => can[extension]) : known[extension];
  }

  /** Lets the client receive the presence of others from now on, if policies permit it. */
  async turnPresenceOn(): Promise<void> {
    if (this.#hearsPresence) return;
    if (this.#topic.isPrivate) this.#read = await loadReadPermissions(this.#requested(this.#session, true));
    this.#hearsPresence = true;
  }

  /** Replaces the session. Rejects with `Unauthorized` if the new one lacks a read permission of the old one. */
  async changeSession(session: Session): Promise<void> {
    if (this.#topic.isPrivate) await this.#requireRead(session);
    this.#session = session;
    this.#write = undefined;
  }

  async #loadWrite(): Promise<Permissions> {
    const session = this.#session;
    const { database, limits } = this.#context;
    const can = await runCheck(limits.policyChecks, this.#port.client.keys, () =>
      writePermissions(database, questionOf(this.#requested(session, true)), (error) =>
        logPolicyError(this.#context, error),
      ),
    );
    if (session === this.#session) this.#write = can;
    return can;
  }

  async #requireRead(session: Session): Promise<void> {
    const can = await loadReadPermissions(this.#requested(session, this.#hearsPresence));
    const isLost = (this.#read.broadcast && !can.broadcast) || (this.receivesPresence && !can.presence);
    if (isLost) {
      const message = `You no longer have permission to read from this Channel topic: ${this.#topic.name}`;
      throw failure('Unauthorized', { message });
    }
    this.#read = can;
  }

  #requested(session: Session, asksPresence: boolean): Requested {
    return { context: this.#context, port: this.#port, topic: this.#topic, session, asksPresence };
  }
}
