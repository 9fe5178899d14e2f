/** Prometheus metrics of the communication between nodes. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { NodeBus, NodeCounts } from './bus.ts';

type Counted = Exclude<keyof NodeCounts, 'nodes'>;

const HELP: Readonly<Record<Counted, string>> = {
  appended: 'Messages of this node stored for other nodes',
  received: 'Messages received from other nodes',
  dropped: 'Broadcasts and presence changes that were not stored for other nodes in time',
  missed: 'Entries of other nodes that this node missed',
};

/** Adds the metrics to a registry. They read the counters of the bus when they are collected. */
export function createNodeMetrics(registry: Registry, bus: Pick<NodeBus, 'counts'>): void {
  const registers = [registry];
  new Gauge({
    name: 'greenroom_realtime_nodes',
    help: 'Live nodes, including this one',
    registers,
    collect() {
      this.set(bus.counts().nodes);
    },
  });
  for (const [counted, help] of Object.entries(HELP) as [Counted, string][]) {
    new Counter({
      name: `greenroom_realtime_nodes_${counted}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(bus.counts()[counted]);
      },
    });
  }
}
