/** Prometheus metrics of jobs. */
import { cached } from '@greenroom/service';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Scrapes within this time share a count. */
const WEBHOOKS_MS = 15_000;

/** The ends that an HTTP request of SQL can have. */
type NetOutcome = 'response' | 'error' | 'timeout' | 'refused';

/** Numbers of database webhooks. */
export interface WebhookCounts {
  /** Not delivered and not failed. */
  pending: number;
  failed: number;
  /** Age of the oldest pending one. */
  oldest_seconds: number;
}

/** Metrics of one node. */
export interface JobsMetrics {
  /** Requests that have ended, by outcome. */
  ended: Counter<'outcome'>;
  inProgress: Gauge;
  /** 1 while this node sends requests, 0 while another one does. */
  active: Gauge;
  /** Sets the function that counts the webhooks of the database; undefined while this node sends none. */
  countWebhooksBy(count: (() => Promise<WebhookCounts>) | undefined): void;
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
    countWebhooksBy: addWebhookGauges(registry),
  };
}

/** Adds the gauges of webhooks, which are counted at most once per interval. Without a count, they are 0. */
function addWebhookGauges(registry: Registry): JobsMetrics['countWebhooksBy'] {
  let read: () => Promise<WebhookCounts | undefined> = async () => undefined;
  const add = (name: string, help: string, select: (counts: WebhookCounts) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const counts = await read();
        this.set(counts === undefined ? 0 : select(counts));
      },
    });
  add('greenroom_webhooks_pending', 'Database webhooks without success so far', ({ pending }) => pending);
  add('greenroom_webhooks_failed', 'Failed database webhooks that are kept', ({ failed }) => failed);
  add(
    'greenroom_webhooks_oldest_seconds',
    'Age of the oldest pending database webhook',
    ({ oldest_seconds }) => oldest_seconds,
  );
  return (count) => {
    read = count === undefined ? async () => undefined : cached(WEBHOOKS_MS, count);
  };
}

/** Metrics of cron jobs of one node. */
export interface CronMetrics {
  /** Runs that have ended. */
  ended: Counter<'status'>;
  inProgress: Gauge;
  seconds: Histogram;
}

const STATUSES = ['succeeded', 'failed'];
const RUN_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3600];

/** Adds the metrics of cron jobs to a registry. */
export function createCronMetrics(registry: Registry): CronMetrics {
  const registers = [registry];
  const ended = new Counter({
    name: 'greenroom_cron_runs_total',
    help: 'Runs of cron jobs that have ended, by status',
    labelNames: ['status'],
    registers,
  });
  for (const status of STATUSES) ended.inc({ status }, 0);
  return {
    ended,
    inProgress: new Gauge({
      name: 'greenroom_cron_runs_in_progress',
      help: 'Runs of cron jobs in progress',
      registers,
    }),
    seconds: new Histogram({
      name: 'greenroom_cron_run_seconds',
      help: 'Duration of runs of cron jobs',
      buckets: RUN_SECONDS,
      registers,
    }),
  };
}
