/**
 * Parses the payload of a join. Pure. A field of the wrong type does not fail the join: the default applies, and
 * `problems` contains the name of the field.
 */
import type { Replay } from '../authorize/replay.ts';
import { isObject } from '../frames/json.ts';

const DEFAULT_REPLAY = 25;
const MAX_REPLAY = 25;
const MAX_KEY_LENGTH = 255;

/** One entry of `postgres_changes` as the client sent it. */
export type ChangeParams = Readonly<Record<string, unknown>>;

/** The parsed parameters of a join. */
export interface JoinParams {
  broadcast: {
    /** Whether the client wants replies to its broadcasts. */
    ack: boolean;
    /** Whether the channel receives its own broadcasts. */
    self: boolean;
    replay: Replay | 'invalid' | undefined;
    /** Whether the client wants a system message when messages from SQL are streamed. */
    awaitsReplication: boolean;
  };
  presence: {
    /** Undefined: the server generates a key. */
    key: string | undefined;
    isEnabled: boolean;
  };
  changes: readonly ChangeParams[];
  isPrivate: boolean;
  accessToken: string | undefined;
  /** Whether the client uses the old protocol, in which the name of the topic selects the database changes. */
  isLegacy: boolean;
  /** Names of the fields with a wrong type. */
  problems: readonly string[];
}

/** Parses the payload of a join. @param name the topic without its prefix */
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

/** Reads typed fields. The default applies to missing, null and mistyped values; a mistyped value is also a problem. */
class Fields {
  readonly problems: string[] = [];

  object(value: unknown, name: string): Record<string, unknown> {
    if (isObject(value)) return value;
    return this.#fallBack({}, value, name);
  }

  /** Accepts strings as well, because some clients send booleans as strings. */
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

/** Returns undefined for an API key (`sb_…`): the token of the socket applies then. */
function tokenOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('sb_') ? value : undefined;
}

/** Parses `schema[:table[:filter]]`. The filter itself may contain colons. */
function legacyChange(name: string): ChangeParams {
  const [schema, table, ...filter] = name.split(':');
  return {
    event: '*',
    schema,
    ...(table === undefined ? {} : { table }),
    ...(filter.length === 0 ? {} : { filter: filter.join(':') }),
  };
}
