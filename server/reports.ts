/** Registers the routes for operators: `/health` and `/metrics`. */
import type { InstanceConfig } from '@greenroom/config';
import type { Metrics } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { OpenService } from '@greenroom/service';
import type { FastifyInstance } from 'fastify';
import type { Backend } from './backend.ts';
import { certificateState, observeCertificate } from './certificate-state.ts';
import { registerHealth } from './health.ts';
import { healthChecks } from './health-checks.ts';
import { isLoopbackOnly, registerMetrics } from './metrics-route.ts';
import type { OwnCertificate } from './own-certificate.ts';
import { VERSION } from './version.ts';

/** The sources of `/health` and `/metrics`. */
interface ReportSources {
  config: InstanceConfig;
  metrics: Metrics;
  certificate: OwnCertificate | undefined;
  backend: Backend | undefined;
  running: readonly OpenService[];
  readApiKey: ApiKeyReader;
}

/** Registers `/health` and `/metrics`. */
export function registerReports(server: FastifyInstance, sources: ReportSources): void {
  const { config, backend, running, certificate, metrics, readApiKey } = sources;
  registerHealth(server, healthChecks(backend, running), {
    version: VERSION,
    schema: backend?.schema,
    certificate: certificate && (() => certificateState(certificate.current())),
  });
  if (certificate) observeCertificate(metrics, certificate.current);
  const registries = [metrics.registry, ...running.flatMap(({ metrics: registry }) => registry ?? [])];
  registerMetrics(server, registries, { readApiKey, requireKey: !isLoopbackOnly(config), services: running });
}
