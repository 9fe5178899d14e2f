/** Settings of realtime: its limits, named as in the hosted service, and the connection between nodes. */
import {
  booleanSetting,
  type ConfigOf,
  defineSettings,
  enumSetting,
  integerSetting,
  setting,
  thousands,
} from '@greenroom/config';
import { z } from 'zod';

const MAX_PER_SECOND = 10_000_000;
/** The limit of all headers of a request together, see `platform/http/limits.ts`. */
const MAX_HEADER_BYTES = 131_072;
/** Bytes that a payload may have in addition to its limit in kilobytes. */
const PAYLOAD_ALLOWANCE_BYTES = 500;

/** Accepts redis:// and rediss:// URLs whose path, if any, is a database number. */
function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d{0,4})?$/.test(pathname);
}

/** Settings of realtime. Rates are per second, averaged over the last minute. */
export const realtimeSettings = defineSettings({
  title: 'Realtime',
  tree: {
    maxConcurrentUsers: integerSetting('GREENROOM_REALTIME_MAX_CONCURRENT_USERS', 1, 1_000_000, {
      default: '10000',
      description: 'Maximum number of concurrent sockets. Further handshakes get 429.',
    }),
    maxChannelsPerClient: integerSetting('GREENROOM_REALTIME_MAX_CHANNELS_PER_CLIENT', 1, 10_000, {
      default: '100',
      description: 'Maximum number of channels of one socket.',
    }),
    maxJoinsPerSecond: integerSetting('GREENROOM_REALTIME_MAX_JOINS_PER_SECOND', 1, MAX_PER_SECOND, {
      default: '1000',
      description: 'Maximum joins per second of all sockets, averaged over a minute.',
    }),
    maxEventsPerSecond: integerSetting('GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND', 1, MAX_PER_SECOND, {
      default: '100000',
      description: 'Maximum messages per second, received and delivered, averaged over a minute.',
    }),
    maxDbEventsPerSecond: integerSetting('GREENROOM_REALTIME_MAX_DB_EVENTS_PER_SECOND', 1, MAX_PER_SECOND, {
      default: '100000',
      description:
        'Maximum database changes delivered per second. Further changes are dropped, counted and logged.',
    }),
    maxPresenceEventsPerSecond: integerSetting(
      'GREENROOM_REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND',
      1,
      MAX_PER_SECOND,
      {
        default: '1000',
        description: 'Maximum presence calls per second of all channels, averaged over a minute.',
      },
    ),
    clientPresence: {
      maxEvents: integerSetting('GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW', 1, 1_000_000, {
        default: '5',
        description:
          'Maximum presence calls of one channel within GREENROOM_REALTIME_CLIENT_PRESENCE_WINDOW_MS.',
      }),
      windowMs: integerSetting('GREENROOM_REALTIME_CLIENT_PRESENCE_WINDOW_MS', 1, 3_600_000, {
        default: '30000',
        description: 'Window of GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW, in milliseconds.',
      }),
    },
    /** Limit of one socket. */
    maxFramesPerSecond: integerSetting('GREENROOM_REALTIME_MAX_FRAMES_PER_SECOND', 1, MAX_PER_SECOND, {
      default: '10000',
      description:
        'Maximum frames per second of one socket, averaged over a minute. Beyond it, the socket is closed.',
    }),
    maxPayloadBytes: integerSetting('GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB', 1, 4000, {
      default: '3000',
      description: 'Maximum size of a message, in kilobytes.',
    }).map((kilobytes) => thousands(kilobytes) + PAYLOAD_ALLOWANCE_BYTES),
    /** Limit of unsent bytes of one socket. */
    maxBufferedBytes: integerSetting('GREENROOM_REALTIME_MAX_BUFFERED_KB', 64, 1_000_000, {
      default: '8192',
      description: 'Maximum kilobytes of unread messages of one socket. Beyond it, the socket is closed.',
    }).map(thousands),
    total: {
      channels: integerSetting('GREENROOM_REALTIME_MAX_CHANNELS', 1, 10_000_000, {
        default: '200000',
        description:
          'Maximum number of channels of all sockets. Once it is reached, clients above their fair share are refused.',
      }),
      /** Entries of `postgres_changes`. */
      changeSubscriptions: integerSetting('GREENROOM_REALTIME_MAX_CHANGE_SUBSCRIPTIONS', 1, 10_000_000, {
        default: '100000',
        description: 'Maximum number of `postgres_changes` entries of all channels.',
      }),
      /** Distinct roles and claims that subscribe to database changes. */
      changeIdentities: integerSetting('GREENROOM_REALTIME_MAX_CHANGE_IDENTITIES', 1, 1_000_000, {
        default: '10000',
        description:
          'Maximum number of distinct pairs of role and claims that subscribe to database changes. Each pair costs a check per change.',
      }),
      bufferedBytes: integerSetting('GREENROOM_REALTIME_MAX_TOTAL_BUFFERED_KB', 64, 100_000_000, {
        default: '524288',
        description: 'Maximum kilobytes that all sockets hold in unread messages and unfinished frames.',
      }).map(thousands),
    },
    perClient: {
      sockets: integerSetting('GREENROOM_REALTIME_PER_CLIENT_SOCKETS', 1, 1_000_000, {
        default: '1000',
        description:
          'Maximum number of sockets of one client. A client is the account of a signed-in user, or else an address or IPv6 network.',
      }),
      channels: integerSetting('GREENROOM_REALTIME_PER_CLIENT_CHANNELS', 1, 10_000_000, {
        default: '10000',
        description: 'Maximum number of channels on all sockets of one client.',
      }),
      /** Entries of `postgres_changes`. */
      changeSubscriptions: integerSetting(
        'GREENROOM_REALTIME_PER_CLIENT_CHANGE_SUBSCRIPTIONS',
        1,
        10_000_000,
        {
          default: '5000',
          description: 'Maximum number of `postgres_changes` entries of one client.',
        },
      ),
      /** Distinct roles and claims that subscribe to database changes. */
      changeIdentities: integerSetting('GREENROOM_REALTIME_PER_CLIENT_CHANGE_IDENTITIES', 1, 1_000_000, {
        default: '100',
        description:
          'Maximum number of distinct pairs of role and claims with which one client subscribes to database changes.',
      }),
      bufferedBytes: integerSetting('GREENROOM_REALTIME_PER_CLIENT_BUFFERED_KB', 64, 100_000_000, {
        default: '65536',
        description:
          'Maximum kilobytes that the sockets of one client hold in unread messages and unfinished frames.',
      }).map(thousands),
      presenceBytes: integerSetting('GREENROOM_REALTIME_PER_CLIENT_PRESENCE_KB', 1, 1_000_000, {
        default: '1024',
        description: 'Maximum kilobytes of presence state of one client in all topics.',
      }).map(thousands),
      joinsPerSecond: integerSetting('GREENROOM_REALTIME_PER_CLIENT_JOINS_PER_SECOND', 1, MAX_PER_SECOND, {
        default: '100',
        description:
          'Maximum handshakes, joins, new tokens and policy checks over HTTP per second and client, with bursts of ten seconds.',
      }),
      eventsPerSecond: integerSetting('GREENROOM_REALTIME_PER_CLIENT_EVENTS_PER_SECOND', 1, MAX_PER_SECOND, {
        default: '10000',
        description:
          'Maximum messages per second that one client sends, each counted once and once per receiver, with bursts of ten seconds.',
      }),
      presenceEventsPerSecond: integerSetting(
        'GREENROOM_REALTIME_PER_CLIENT_PRESENCE_EVENTS_PER_SECOND',
        1,
        MAX_PER_SECOND,
        {
          default: '100',
          description: 'Maximum presence calls per second and client, with bursts of ten seconds.',
        },
      ),
      bytesPerSecond: integerSetting('GREENROOM_REALTIME_PER_CLIENT_KB_PER_SECOND', 64, MAX_PER_SECOND, {
        default: '10000',
        description:
          'Maximum kilobytes per second that one client sends or loads as presence state, with bursts of ten seconds. Beyond it, sockets are read more slowly.',
      }).map(thousands),
    },
    maxPresencePayloadBytes: integerSetting('GREENROOM_REALTIME_MAX_PRESENCE_PAYLOAD_IN_KB', 1, 128, {
      default: '64',
      description: 'Maximum kilobytes of a presence payload.',
    }).map(thousands),
    /** Presence state of one topic. */
    maxTopicPresenceBytes: integerSetting('GREENROOM_REALTIME_MAX_TOPIC_PRESENCE_KB', 1, 1_000_000, {
      default: '4096',
      description:
        'Maximum kilobytes of presence state in one topic. Once it is reached, payloads above the average share are refused.',
    }).map(thousands),
    maxHeaderBytes: integerSetting('GREENROOM_REALTIME_MAX_HEADER_LENGTH', 1, MAX_HEADER_BYTES, {
      default: '4096',
      configKey: 'realtime.max_header_length',
      description:
        'Maximum length of a header of a handshake, in bytes; longer ones get 431. Cookies are not limited, because browsers send those of all pages of the host.',
    }),
    /** Read by the server, whose port realtime shares. */
    ipVersion: enumSetting('GREENROOM_REALTIME_IP_VERSION', ['IPv4', 'IPv6'], {
      default: 'IPv4',
      configKey: 'realtime.ip_version',
      description:
        'IPv6: the server also listens on ::1 if HOST is 127.0.0.1, and on all IPv6 addresses if HOST is 0.0.0.0. IPv4: only on HOST.',
    }),
    /** Limit of one HTTP request. */
    maxBatchMessages: integerSetting('GREENROOM_REALTIME_MAX_BATCH_MESSAGES', 1, 1_000_000, {
      default: '1000',
      description: 'Maximum number of messages in one `POST /api/broadcast`.',
    }),
    isPrivateOnly: booleanSetting('GREENROOM_REALTIME_PRIVATE_ONLY', {
      default: 'false',
      description: 'Whether public channels are rejected.',
    }),
    databaseConnections: integerSetting('GREENROOM_REALTIME_DB_POOL_SIZE', 1, 1000, {
      default: '5',
      description: 'Maximum connections to the database that check policies of channels.',
    }),
    /** Undefined: nodes exchange messages through PostgreSQL. */
    redisUrl: setting(
      'REDIS_URL',
      z.string().refine(isRedisUrl),
      'redis://user:password@host:port/number or rediss://…',
      {
        default: undefined,
        secret: true,
        file: 'trimmed',
        description:
          'Redis (6.2 or later) through which several nodes on one external PostgreSQL exchange messages. Unset: they use PostgreSQL.',
      },
    ),
  },
  complete: (values) => values,
});

/** Configuration of realtime. */
export type RealtimeConfig = ConfigOf<typeof realtimeSettings>;
