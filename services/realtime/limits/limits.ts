/** The limits of one node, shared by all clients. */

import { createFairQueue, type FairQueue } from '@greenroom/limits';
import type { RealtimeConfig } from '../settings.ts';
import { ClientCounts } from './client-counts.ts';
import { ClientIdentities } from './client-identities.ts';
import { ClientRate } from './client-rate.ts';
import { RollingAverage } from './rolling-average.ts';
import { TurnBudget } from './turn-budget.ts';

/** Maximum number of waiting tasks in a queue, in total and per client. */
const MAX_WAITING = 10_000;
const MAX_WAITING_PER_CLIENT = 1000;
/** The feed has six connections. It needs the others to check changes. */
const MAX_CHANGE_CHECKS = 2;

export interface Limits {
  sockets: ClientCounts;
  channels: ClientCounts;
  /** Number of `postgres_changes` entries. */
  changeSubscriptions: ClientCounts;
  /** Distinct pairs of role and claims that subscribe to database changes. */
  changeIdentities: ClientIdentities;
  /** Bytes of unread messages and unfinished frames. */
  bufferedBytes: ClientCounts;
  /** Bytes of presence payloads. */
  presenceBytes: ClientCounts;
  /** Handshakes, joins, new tokens, and policy checks over HTTP. */
  joins: ClientRate;
  /** Messages that a client sends, each counted once and once per receiver. */
  events: ClientRate;
  presence: ClientRate;
  /** Delivered database changes. */
  dbEvents: ClientRate;
  /** Bytes that clients send, and bytes of presence state that they load. */
  bytes: ClientRate;
  /** Policy checks, which clients run round-robin on the database connections. */
  policyChecks: FairQueue;
  /** Checks of new subscriptions to database changes, which share the connections of the feed. */
  changeChecks: FairQueue;
  /** Work that runs in slices on the event loop, for one client at a time. */
  slices: FairQueue;
  /** Budget for the work of frames in one turn of the event loop. */
  turn: TurnBudget;
}

/** Average rates of all clients of the node, to which the total limits apply. */
export interface TotalRates {
  joins: RollingAverage;
  /** Received and delivered messages. */
  events: RollingAverage;
  presence: RollingAverage;
  /** Delivered database changes. */
  dbEvents: RollingAverage;
}

export function createLimits(config: RealtimeConfig, rates: TotalRates): Limits {
  const { perClient, total } = config;
  const unlimited = Number.POSITIVE_INFINITY;
  return {
    sockets: new ClientCounts({ perClient: perClient.sockets, total: config.maxConcurrentUsers }),
    channels: new ClientCounts({ perClient: perClient.channels, total: total.channels }),
    changeSubscriptions: new ClientCounts({
      perClient: perClient.changeSubscriptions,
      total: total.changeSubscriptions,
    }),
    changeIdentities: new ClientIdentities({
      perClient: perClient.changeIdentities,
      total: total.changeIdentities,
    }),
    bufferedBytes: new ClientCounts({ perClient: perClient.bufferedBytes, total: total.bufferedBytes }),
    presenceBytes: new ClientCounts({ perClient: perClient.presenceBytes, total: unlimited }),
    joins: new ClientRate(
      { perClient: perClient.joinsPerSecond, total: config.maxJoinsPerSecond },
      rates.joins,
    ),
    events: new ClientRate(
      { perClient: perClient.eventsPerSecond, total: config.maxEventsPerSecond },
      rates.events,
    ),
    presence: new ClientRate(
      { perClient: perClient.presenceEventsPerSecond, total: config.maxPresenceEventsPerSecond },
      rates.presence,
    ),
    dbEvents: new ClientRate(
      { perClient: perClient.eventsPerSecond, total: config.maxDbEventsPerSecond },
      rates.dbEvents,
    ),
    bytes: new ClientRate({ perClient: perClient.bytesPerSecond, total: unlimited }, new RollingAverage()),
    policyChecks: createFairQueue({
      max: config.databaseConnections,
      maxPerClient: Math.ceil(config.databaseConnections / 2),
      maxWaiting: MAX_WAITING,
      maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    }),
    changeChecks: createFairQueue({
      max: MAX_CHANGE_CHECKS,
      maxPerClient: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    }),
    turn: new TurnBudget(),
    slices: createFairQueue({
      max: 1,
      maxPerClient: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    }),
  };
}
