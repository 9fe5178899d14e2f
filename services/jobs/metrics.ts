/** Prometheus metrics of jobs. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** The ends that an HTTP request of SQL can have. */
type NetOutcome = 'response' | 'error' | 'timeout' | 'refused';

/** Metrics of one node. */
export interface JobsMetrics {
  /** Requests that have ended, by outcome. */
  ended: Counter<'outcome'>;
  inProgress: Gauge;
  /** 1 while this node sends requests, 0 while another one does. */
  active: Gauge;
}

const OUTCOMES: readonly NetOutcome[] = ['response', 'error', 'timeout', 'refused'];

/** Adds the metrics to a registry. */
export function createJobsMetrics(registry: Registry): JobsMetrics {
  const registers = [registry];
  const ended = new Counter({
    name: 'greenroom_net_requests_total',
    help: 'HTTP requests of SQL that have ended, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of OUTCOMES) ended.inc({ outcome }, 0);
  return {
    ended,
    inProgress: new Gauge({
      name: 'greenroom_net_requests_in_progress',
      help: 'HTTP requests of SQL in progress',
      registers,
    }),
    active: new Gauge({
      name: 'greenroom_net_active',
      help: 'Whether this node sends HTTP requests of SQL',
      registers,
    }),
  };
}
