/** Prometheus metrics of functions. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of one node. */
export interface FunctionsMetrics {
  processes: Gauge;
  /** Processes that have ended, by reason. */
  ended: Counter<'reason'>;
  /** Preparations that did any work. */
  preparations: Counter<'result'>;
}

/** Adds the metrics to a registry. */
export function createFunctionsMetrics(registry: Registry): FunctionsMetrics {
  const registers = [registry];
  return {
    processes: new Gauge({
      name: 'greenroom_functions_processes',
      help: 'Processes of functions',
      registers,
    }),
    ended: new Counter({
      name: 'greenroom_functions_processes_ended_total',
      help: 'Processes of functions that have ended, by reason',
      labelNames: ['reason'],
      registers,
    }),
    preparations: new Counter({
      name: 'greenroom_functions_preparations_total',
      help: 'Preparations of new or changed functions, by result (success, failure)',
      labelNames: ['result'],
      registers,
    }),
  };
}
