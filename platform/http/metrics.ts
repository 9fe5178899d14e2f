/** Metrics in Prometheus' text format. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { createRequestWindow, type RequestWindow } from './request-window.ts';

/** The metrics of requests, and the registry that services add their own metrics to. */
export interface Metrics {
  registry: Registry;
  /** Seconds from the first byte of a request to the last byte of its response. `operation` is the template of a route. */
  requestSeconds: Histogram<'service' | 'operation' | 'method' | 'status'>;
  /** Requests that a limit rejected with 429, by the name of the limit. */
  limited: Counter<'service' | 'limit'>;
  /** Requests since its last reader, for the history that an instance keeps. */
  window: RequestWindow;
}

/** Creates a registry with the process's default metrics and the metrics of requests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'greenroom_http_request_seconds',
    help: 'Seconds from the first byte of a request to the last byte of its response',
    labelNames: ['service', 'operation', 'method', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const limited = new Counter({
    name: 'greenroom_http_requests_limited_total',
    help: 'Requests that a limit rejected with status 429, by limit',
    labelNames: ['service', 'limit'] as const,
    registers: [registry],
  });
  return { registry, requestSeconds, limited, window: createRequestWindow() };
}
