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
  isPrivateOnly: boolean;
  databaseConnections: number;
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
    isPrivateOnly: values.GREENROOM_REALTIME_PRIVATE_ONLY,
    databaseConnections: values.GREENROOM_REALTIME_DB_POOL_SIZE,
  };
}
