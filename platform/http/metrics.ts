/** Metrics in Prometheus' text format. */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The metrics of requests, and the registry that services add their own metrics to. */
export interface Metrics {
  registry: Registry;
  /** Seconds from the first byte of a request to the last byte of its response, by service, method and status. */
  requestSeconds: Histogram<'service' | 'method' | 'status'>;
}

/** Creates a registry with the process's default metrics and the request histogram. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'greenroom_http_request_seconds',
    help: 'Seconds from the first byte of a request to the last byte of its response',
    labelNames: ['service', 'method', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return { registry, requestSeconds };
}
