/** Settings of realtime: its limits, under the names that the hosted service has for them. */
import { booleanVariable, integerVariable, type Values } from './variable.ts';

const MOST_A_SECOND = 10_000_000;
/** What a payload may have besides its round number of kilobytes. */
const PAYLOAD_ALLOWANCE_BYTES = 500;

/** Environment variables of realtime. Rates are averages of a minute. */
export const realtimeVariables = {
  GREENROOM_REALTIME_MAX_CONCURRENT_USERS: integerVariable(1, 1_000_000, {
    default: '10000',
    description: 'Most sockets at once; who comes later is answered 429.',
  }),
  GREENROOM_REALTIME_MAX_CHANNELS_PER_CLIENT: integerVariable(1, 10_000, {
    default: '100',
    description: 'Most channels of one socket.',
  }),
  GREENROOM_REALTIME_MAX_JOINS_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '1000',
    description: 'Most joins a second, of all sockets together, on the average of a minute.',
  }),
  GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '100000',
    description: 'Most messages a second, received and delivered, on the average of a minute.',
  }),
  GREENROOM_REALTIME_MAX_DB_EVENTS_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '100000',
    description: 'Most database changes delivered a second; what is more is dropped, counted and logged.',
  }),
  GREENROOM_REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '1000',
    description: 'Most calls of presence a second, of all channels together, on the average of a minute.',
  }),
  GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW: integerVariable(1, 1_000_000, {
    default: '5',
    description: 'Most calls of presence of one channel within the window below.',
  }),
  GREENROOM_REALTIME_CLIENT_PRESENCE_WINDOW_MS: integerVariable(1, 3_600_000, {
    default: '30000',
    description: 'That window, in milliseconds.',
  }),
  GREENROOM_REALTIME_MAX_FRAMES_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '10000',
    description: 'Most frames a second of one socket, on the average of a minute; it is closed then.',
  }),
  GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB: integerVariable(1, 4000, {
    default: '3000',
    description: 'Most kilobytes of a message.',
  }),
  GREENROOM_REALTIME_MAX_BUFFERED_KB: integerVariable(64, 1_000_000, {
    default: '8192',
    description: 'Most kilobytes that wait for a client which reads too slowly; it is disconnected then.',
  }),
  GREENROOM_REALTIME_MAX_CHANNELS: integerVariable(1, 10_000_000, {
    default: '200000',
    description:
      'Maximum number of channels of all sockets. Once it is reached, clients above their fair share are refused.',
  }),
  GREENROOM_REALTIME_MAX_CHANGE_SUBSCRIPTIONS: integerVariable(1, 10_000_000, {
    default: '100000',
    description: 'Maximum number of `postgres_changes` entries of all channels.',
  }),
  GREENROOM_REALTIME_MAX_CHANGE_IDENTITIES: integerVariable(1, 1_000_000, {
    default: '10000',
    description:
      'Maximum number of distinct roles and claims that subscribe to database changes. Each one costs a check per change.',
  }),
  GREENROOM_REALTIME_MAX_TOTAL_BUFFERED_KB: integerVariable(64, 100_000_000, {
    default: '524288',
    description: 'Maximum kilobytes that all sockets hold in unread messages and unfinished frames.',
  }),
  GREENROOM_REALTIME_MAX_PRESENCE_PAYLOAD_IN_KB: integerVariable(1, 128, {
    default: '64',
    description: 'Maximum kilobytes of a presence payload.',
  }),
  GREENROOM_REALTIME_MAX_TOPIC_PRESENCE_KB: integerVariable(1, 1_000_000, {
    default: '4096',
    description:
      'Maximum kilobytes of presence state in one topic. Once it is reached, payloads above the average share are refused.',
  }),
  GREENROOM_REALTIME_MAX_BATCH_MESSAGES: integerVariable(1, 1_000_000, {
    default: '1000',
    description: 'Maximum number of messages in one `POST /api/broadcast`.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_SOCKETS: integerVariable(1, 1_000_000, {
    default: '1000',
    description:
      'Maximum number of sockets of one client. A client is an account where it is signed in, else an address or IPv6 network.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_CHANNELS: integerVariable(1, 10_000_000, {
    default: '10000',
    description: 'Maximum number of channels on all sockets of one client.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_JOINS_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '100',
    description:
      'Maximum handshakes, joins, new tokens and policy checks over HTTP per second and client, with bursts of ten seconds.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_EVENTS_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '10000',
    description:
      'Maximum messages per second that one client sends, each counted once and once per receiver, with bursts of ten seconds.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_PRESENCE_EVENTS_PER_SECOND: integerVariable(1, MOST_A_SECOND, {
    default: '100',
    description: 'Maximum presence calls per second and client, with bursts of ten seconds.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_KB_PER_SECOND: integerVariable(64, MOST_A_SECOND, {
    default: '10000',
    description:
      'Maximum kilobytes per second that one client sends or loads as presence state, with bursts of ten seconds. Sockets are read more slowly above it.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_BUFFERED_KB: integerVariable(64, 100_000_000, {
    default: '65536',
    description:
      'Maximum kilobytes that the sockets of one client hold in unread messages and unfinished frames.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_PRESENCE_KB: integerVariable(1, 1_000_000, {
    default: '1024',
    description: 'Maximum kilobytes of presence state of one client in all topics.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_CHANGE_SUBSCRIPTIONS: integerVariable(1, 10_000_000, {
    default: '5000',
    description: 'Maximum number of `postgres_changes` entries of one client.',
  }),
  GREENROOM_REALTIME_PER_CLIENT_CHANGE_IDENTITIES: integerVariable(1, 1_000_000, {
    default: '100',
    description:
      'Maximum number of distinct roles and claims with which one client subscribes to database changes.',
  }),
  GREENROOM_REALTIME_PRIVATE_ONLY: booleanVariable({
    default: 'false',
    description: 'Whether public channels are refused.',
  }),
  GREENROOM_REALTIME_DB_POOL_SIZE: integerVariable(1, 1000, {
    default: '5',
    description: 'Most connections to the database that ask policies of channels.',
  }),
};

/** Settings of realtime. Rates are a second, on the average of a minute. */
export interface RealtimeConfig {
  maxConcurrentUsers: number;
  maxChannelsPerClient: number;
  maxJoinsPerSecond: number;
  maxEventsPerSecond: number;
  maxDbEventsPerSecond: number;
  maxPresenceEventsPerSecond: number;
  /** Of one channel. */
  clientPresence: { maxEvents: number; windowMs: number };
  /** Of one socket. */
  maxFramesPerSecond: number;
  maxPayloadBytes: number;
  /** What may wait for a slow reader. */
  maxBufferedBytes: number;
  /** Bounds of what all clients hold together. */
  total: RealtimeTotals;
  /** Bounds of one client: an account where it is signed in, else an address or IPv6 network. */
  perClient: RealtimeClientLimits;
  maxPresencePayloadBytes: number;
  /** Presence state of one topic. */
  maxTopicPresenceBytes: number;
  /** Of one HTTP request. */
  maxBatchMessages: number;
  isPrivateOnly: boolean;
  databaseConnections: number;
}

/** Held at once by all clients. */
interface RealtimeTotals {
  channels: number;
  /** Entries of `postgres_changes`. */
  changeSubscriptions: number;
  /** Distinct roles and claims that subscribe to database changes. */
  changeIdentities: number;
  bufferedBytes: number;
}

/** Limits of one client. Rates are per second. */
interface RealtimeClientLimits extends RealtimeTotals {
  sockets: number;
  presenceBytes: number;
  joinsPerSecond: number;
  eventsPerSecond: number;
  presenceEventsPerSecond: number;
  bytesPerSecond: number;
}

/** Groups the values of the variables. */
export function realtimeConfig(values: Values<typeof realtimeVariables>): RealtimeConfig {
  return {
    maxConcurrentUsers: values.GREENROOM_REALTIME_MAX_CONCURRENT_USERS,
    maxChannelsPerClient: values.GREENROOM_REALTIME_MAX_CHANNELS_PER_CLIENT,
    maxJoinsPerSecond: values.GREENROOM_REALTIME_MAX_JOINS_PER_SECOND,
    maxEventsPerSecond: values.GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND,
    maxDbEventsPerSecond: values.GREENROOM_REALTIME_MAX_DB_EVENTS_PER_SECOND,
    maxPresenceEventsPerSecond: values.GREENROOM_REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND,
    clientPresence: {
      maxEvents: values.GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW,
      windowMs: values.GREENROOM_REALTIME_CLIENT_PRESENCE_WINDOW_MS,
    },
    maxFramesPerSecond: values.GREENROOM_REALTIME_MAX_FRAMES_PER_SECOND,
    maxPayloadBytes: values.GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB * 1000 + PAYLOAD_ALLOWANCE_BYTES,
    maxBufferedBytes: values.GREENROOM_REALTIME_MAX_BUFFERED_KB * 1000,
    total: {
      channels: values.GREENROOM_REALTIME_MAX_CHANNELS,
      changeSubscriptions: values.GREENROOM_REALTIME_MAX_CHANGE_SUBSCRIPTIONS,
      changeIdentities: values.GREENROOM_REALTIME_MAX_CHANGE_IDENTITIES,
      bufferedBytes: values.GREENROOM_REALTIME_MAX_TOTAL_BUFFERED_KB * 1000,
    },
    perClient: {
      sockets: values.GREENROOM_REALTIME_PER_CLIENT_SOCKETS,
      channels: values.GREENROOM_REALTIME_PER_CLIENT_CHANNELS,
      changeSubscriptions: values.GREENROOM_REALTIME_PER_CLIENT_CHANGE_SUBSCRIPTIONS,
      changeIdentities: values.GREENROOM_REALTIME_PER_CLIENT_CHANGE_IDENTITIES,
      bufferedBytes: values.GREENROOM_REALTIME_PER_CLIENT_BUFFERED_KB * 1000,
      presenceBytes: values.GREENROOM_REALTIME_PER_CLIENT_PRESENCE_KB * 1000,
      joinsPerSecond: values.GREENROOM_REALTIME_PER_CLIENT_JOINS_PER_SECOND,
      eventsPerSecond: values.GREENROOM_REALTIME_PER_CLIENT_EVENTS_PER_SECOND,
      presenceEventsPerSecond: values.GREENROOM_REALTIME_PER_CLIENT_PRESENCE_EVENTS_PER_SECOND,
      bytesPerSecond: values.GREENROOM_REALTIME_PER_CLIENT_KB_PER_SECOND * 1000,
    },
    maxPresencePayloadBytes: values.GREENROOM_REALTIME_MAX_PRESENCE_PAYLOAD_IN_KB * 1000,
    maxTopicPresenceBytes: values.GREENROOM_REALTIME_MAX_TOPIC_PRESENCE_KB * 1000,
    maxBatchMessages: values.GREENROOM_REALTIME_MAX_BATCH_MESSAGES,
    isPrivateOnly: values.GREENROOM_REALTIME_PRIVATE_ONLY,
    databaseConnections: values.GREENROOM_REALTIME_DB_POOL_SIZE,
  };
}
