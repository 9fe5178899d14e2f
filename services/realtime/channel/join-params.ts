/**
 * What a join asks for. Pure: a payload in, settings out. A field of another type does not fail the join: its default
 * applies, and it is named among the problems.
 */
import type { Replay } from '../authorize/replay.ts';
import { isObject } from '../frames/json.ts';

const DEFAULT_REPLAY = 25;
const MAX_REPLAY = 25;
const MAX_KEY_LENGTH = 255;

/** One entry of `postgres_changes`, as it was sent. */
export type ChangeParams = Readonly<Record<string, unknown>>;

/** A join, understood. */
export interface JoinParams {
  broadcast: {
    /** Whether pushes are replied to. */
    ack: boolean;
    /** Whether the channel hears itself. */
    self: boolean;
    replay: Replay | 'invalid' | undefined;
    /** Whether the channel wants to be told that messages from SQL arrive from now on. */
    awaitsReplication: boolean;
  };
  presence: {
    /** Undefined: any. */
    key: string | undefined;
    isEnabled: boolean;
  };
  changes: readonly ChangeParams[];
  isPrivate: boolean;
  accessToken: string | undefined;
  /** The topic itself says which changes are wanted, and they are told in the form of that time. */
  isLegacy: boolean;
  /** Names of fields that have another type. */
  problems: readonly string[];
}

/** Reads the payload of a join. @param name of the topic */
export function parseJoin(payload: unknown, name: string): JoinParams {
  const fields = new Fields();
  const join = fields.object(payload, 'payload');
  const isLegacy = join.config === undefined;
  const config = fields.object(join.config, 'config');
  const broadcast = fields.object(config.broadcast, 'broadcast');
  const presence = fields.object(config.presence, 'presence');
  return {
    broadcast: {
      ack: fields.boolean(broadcast.ack, 'broadcast.ack'),
      self: fields.boolean(broadcast.self, 'broadcast.self'),
      replay: parseReplay(broadcast.replay),
      awaitsReplication: fields.boolean(broadcast.replication_ready, 'broadcast.replication_ready'),
    },
    presence: {
      key: fields.key(presence.key, 'presence.key'),
      isEnabled: fields.boolean(presence.enabled, 'presence.enabled'),
    },
    changes: isLegacy ? [legacyChange(name)] : fields.changes(config.postgres_changes, 'postgres_changes'),
    isPrivate: fields.boolean(config.private, 'private'),
    accessToken: tokenOf(join.access_token) ?? tokenOf(join.user_token),
    isLegacy,
    problems: fields.problems,
  };
}

/** Values of a type, or its default and a problem. What is not there, or null, is none. */
class Fields {
  readonly problems: string[] = [];

  object(value: unknown, name: string): Record<string, unknown> {
    if (isObject(value)) return value;
    return this.#fallBack({}, value, name);
  }

  /** Some clients write them as texts. */
  boolean(value: unknown, name: string): boolean {
    const text = typeof value === 'string' ? value.toLowerCase() : value;
    if (text === true || text === 'true') return true;
    if (text === false || text === 'false') return false;
    return this.#fallBack(false, value, name);
  }

  key(value: unknown, name: string): string | undefined {
    if (value === '') return undefined;
    if (typeof value === 'string' && value.length <= MAX_KEY_LENGTH) return value;
    return this.#fallBack(undefined, value, name);
  }

  changes(value: unknown, name: string): readonly ChangeParams[] {
    const entries = Array.isArray(value) ? value.filter((entry) => entry !== null) : undefined;
    if (entries?.every(isObject)) return entries;
    return this.#fallBack([], value, name);
  }

  #fallBack<T>(initial: T, value: unknown, name: string): T {
    if (value !== undefined && value !== null) this.problems.push(name);
    return initial;
  }
}

function parseReplay(value: unknown): Replay | 'invalid' | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return 'invalid';
  const { since, limit = DEFAULT_REPLAY } = value;
  if (!Number.isSafeInteger(since) || !Number.isSafeInteger(limit)) return 'invalid';
  return { since: since as number, limit: Math.min(Math.max(limit as number, 1), MAX_REPLAY) };
}

/** A key that is no token stands for the token that the socket came with. */
function tokenOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('sb_') ? value : undefined;
}

/** `schema[:table[:filter]]`; a filter may have colons of its own. */
function legacyChange(name: string): ChangeParams {
  const [schema, table, ...filter] = name.split(':');
  return {
    event: '*',
    schema,
    ...(table === undefined ? {} : { table }),
    ...(filter.length === 0 ? {} : { filter: filter.join(':') }),
  };
}
