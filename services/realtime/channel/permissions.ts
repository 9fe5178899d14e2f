/**
 * The permissions of a channel: policies on realtime.messages decide for private channels, public ones permit
 * everything.
 */
import { runCheck } from '../authorize/checks.ts';
import {
  type Permissions,
  type PolicyRequest,
  readPermissions,
  writePermissions,
} from '../authorize/policies.ts';
import type { Session } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { Topic } from '../hub/topic.ts';
import type { SocketClient } from '../limits/client.ts';

const ALL_PERMISSIONS: Permissions = { broadcast: true, presence: true };

/** The part of a socket that policy checks use. */
interface PermissionPort {
  /** JSON of the handshake's headers, for policies. */
  readonly headers: string;
  readonly client: SocketClient;
}

/** Input of a policy check. */
interface PermissionRequest {
  context: Context;
  port: PermissionPort;
  topic: Topic;
  session: Session;
  /** Whether policies for presence are evaluated, too. */
  checksPresence: boolean;
}

/**
 * Loads the read permissions of a new channel. Rejects with `Unauthorized` if there are none, with
 * `PolicyCheckLimitReached`, and with errors of the database.
 */
export async function requirePermissions(request: PermissionRequest): Promise<Permissions> {
  const { topic } = request;
  if (!topic.isPrivate) return ALL_PERMISSIONS;
  const permissions = await loadReadPermissions(request);
  if (!permissions.broadcast && !permissions.presence) {
    const message = `You do not have permissions to read from this Channel topic: ${topic.name}`;
    throw failure('Unauthorized', { message });
  }
  return permissions;
}

function loadReadPermissions(request: PermissionRequest): Promise<Permissions> {
  const { database, limits } = request.context;
  return runCheck(limits.policyChecks, request.port.client.keys, () =>
    readPermissions(database, policyRequestOf(request), (error) => logPolicyError(request.context, error)),
  );
}

function policyRequestOf({ topic, session, port, checksPresence }: PermissionRequest): PolicyRequest {
  return { topic: topic.name, session, headers: port.headers, checksPresence };
}

function logPolicyError({ log }: Context, error: Error): void {
  log.warn({ err: error }, 'a policy on realtime.messages failed; access is denied');
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
  isPresenceEnabled: boolean;
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
  #isPresenceEnabled: boolean;

  constructor({ context, port, topic, session, read, isPresenceEnabled }: ChannelPermissionsOptions) {
    this.#context = context;
    this.#port = port;
    this.#topic = topic;
    this.#session = session;
    this.#read = read;
    this.#isPresenceEnabled = isPresenceEnabled;
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
    return this.#isPresenceEnabled && this.#read.presence;
  }

  /** Whether the client may send messages of this kind. Policies are evaluated once per token. */
  canWrite(extension: keyof Permissions): boolean | Promise<boolean> {
    const known = this.#topic.isPrivate ? this.#write : ALL_PERMISSIONS;
    return known === undefined ? this.#loadWrite().then((can) => can[extension]) : known[extension];
  }

  /** Lets the client receive the presence of others from now on, if policies permit it. */
  async enablePresence(): Promise<void> {
    if (this.#isPresenceEnabled) return;
    if (this.#topic.isPrivate) this.#read = await loadReadPermissions(this.#request(this.#session, true));
    this.#isPresenceEnabled = true;
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
      writePermissions(database, policyRequestOf(this.#request(session, true)), (error) =>
        logPolicyError(this.#context, error),
      ),
    );
    if (session === this.#session) this.#write = can;
    return can;
  }

  async #requireRead(session: Session): Promise<void> {
    const can = await loadReadPermissions(this.#request(session, this.#isPresenceEnabled));
    const isLost = (this.#read.broadcast && !can.broadcast) || (this.receivesPresence && !can.presence);
    if (isLost) {
      const message = `You no longer have permission to read from this Channel topic: ${this.#topic.name}`;
      throw failure('Unauthorized', { message });
    }
    this.#read = can;
  }

  #request(session: Session, checksPresence: boolean): PermissionRequest {
    return { context: this.#context, port: this.#port, topic: this.#topic, session, checksPresence };
  }
}
