/** Prometheus metrics of realtime. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of one node. */
export interface RealtimeMetrics {
  sockets: Gauge;
  channels: Gauge;
  /** Frames received from clients. */
  received: Counter;
  /** Frames sent to the members of a topic: broadcasts, presence diffs and database changes. */
  delivered: Counter;
  /** Refused joins and handshakes, by error code. */
  refused: Counter<'code'>;
  /** Channels and sockets that the server closed, by error code. */
  closed: Counter<'code'>;
  /** Messages that were not delivered because of a limit on their rate or size. */
  dropped: Counter<'kind'>;
}

/** Adds the metrics to a registry. */
export function createRealtimeMetrics(registry: Registry): RealtimeMetrics {
  const registers = [registry];
  return {
    sockets: new Gauge({ name: 'greenroom_realtime_sockets', help: 'Open sockets', registers }),
    channels: new Gauge({ name: 'greenroom_realtime_channels', help: 'Joined channels', registers }),
    received: new Counter({
      name: 'greenroom_realtime_frames_received_total',
      help: 'Frames received from clients',
      registers,
    }),
    delivered: new Counter({
      name: 'greenroom_realtime_messages_delivered_total',
      help: 'Broadcasts, presence diffs and database changes sent to clients',
      registers,
    }),
    refused: new Counter({
      name: 'greenroom_realtime_refused_total',
      help: 'Refused handshakes and joins, by error code',
      labelNames: ['code'],
      registers,
    }),
    closed: new Counter({
      name: 'greenroom_realtime_closed_total',
      help: 'Channels and sockets closed by the server, by error code',
      labelNames: ['code'],
      registers,
    }),
    dropped: new Counter({
      name: 'greenroom_realtime_messages_dropped_total',
      help: 'Messages dropped because of a limit, by kind',
      labelNames: ['kind'],
      registers,
    }),
  };
}
