/** The routes for operators of an instance: `/health`, `/metrics` and `/operator/v1`. */
import type { Metrics } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { LogStore } from '@greenroom/log/store';
import type { OpenService } from '@greenroom/service';
import type { FastifyInstance } from 'fastify';
import type { Backend } from './backend.ts';
import type { ContinuousBackup } from './backup/continuous-backup.ts';
import { certificateState, observeCertificate } from './certificate-state.ts';
import { type HealthChecks, registerHealth } from './health.ts';
import { createInstanceMetrics } from './metrics/instance-metrics.ts';
import { isLoopbackOnly, registerMetrics } from './metrics-route.ts';
import { historyRoutes } from './operator/history/history-routes.ts';
import { createRecorder, type HistoryRecorder } from './operator/history/recorder.ts';
import { logRoutes } from './operator/logs/log-routes.ts';
import { type OperatorRoutes, registerOperator } from './operator/plugin.ts';
import type { OwnCertificate } from './own-certificate.ts';
import type { Config } from './settings.ts';
import { VERSION } from './version.ts';

/** A statement that needs no table, for checks of the connection. */
export const PROBE = { text: 'select 1' };

/** The parts that the routes report on. */
interface ReportedParts {
  config: Config;
  /** Undefined if the app runs alone on a hosted backend. */
  backend: Backend | undefined;
  services: readonly OpenService[];
  certificate: OwnCertificate | undefined;
  /** Undefined if the instance is not backed up continuously. */
  backup: ContinuousBackup | undefined;
  /** Metrics of requests. */
  metrics: Metrics;
  readApiKey: ApiKeyReader;
  /** Undefined if the instance keeps no log. */
  logStore: LogStore | undefined;
  /** Topics below `/operator/v1`, in addition to the log and the history. */
  topics: readonly OperatorRoutes[];
  log: Logger;
}

/** Registers the routes. Returns the started recorder of the history that they report; undefined without a local backend. */
export async function registerOperatorRoutes(
  server: FastifyInstance,
  parts: ReportedParts,
): Promise<HistoryRecorder | undefined> {
  const { config, backend, services, certificate, backup, metrics, readApiKey } = parts;
  registerHealth(server, healthChecks(backend, services), {
    version: VERSION,
    schema: backend?.schema,
    certificate: certificate && (() => certificateState(certificate.current())),
    backup: backup && (() => backup.state()),
  });
  if (certificate) observeCertificate(metrics, certificate.current);
  const others = [
    backend && metricsOf(backend),
    backup?.metrics,
    ...services.map((service) => service.metrics),
  ];
  const registries = [metrics.registry, ...others.filter((registry) => registry !== undefined)];
  registerMetrics(server, registries, { readApiKey, requireKey: !isLoopbackOnly(config), services });
  const { allowedAddresses } = config.meta;
  // Without a local backend, the instance serves pages only.
  if (backend === undefined) return undefined;
  const recorder = recorderOf(backend, parts);
  await registerOperator(server, { readApiKey, allowedAddresses, topics: topicsOf(parts, recorder) });
  recorder.start();
  return recorder;
}

/** The routes below `/operator/v1`. */
function topicsOf({ logStore, topics }: ReportedParts, recorder: HistoryRecorder): readonly OperatorRoutes[] {
  return [...topics, logRoutes(logStore), historyRoutes(recorder)];
}

function recorderOf({ admin, folder }: Backend, { services, metrics, log }: ReportedParts): HistoryRecorder {
  const path = folder.at('history.json');
  return createRecorder({ path, window: metrics.window, database: admin, services, log });
}

function healthChecks(backend: Backend | undefined, services: readonly OpenService[]): HealthChecks {
  const own: HealthChecks = {
    app: async () => undefined,
    ...(backend && {
      database: () => backend.admin.query(PROBE),
      disk: () => backend.folder.requireUsable(),
    }),
  };
  return Object.assign(own, ...services.map(({ health }) => health));
}

function metricsOf({ admin, database, folder }: Backend) {
  const { pools } = database;
  return createInstanceMetrics({
    version: VERSION,
    pools,
    database: admin,
    hasOutbox: true,
    folder: folder.path,
  });
}
