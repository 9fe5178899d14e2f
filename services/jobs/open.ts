/** Opens jobs: the connection that reads the tables, the dispatcher of HTTP requests, and the runner of cron jobs. */
import { webhookSecretsOf } from '@greenroom/keys';
import type { OpenService, ServiceContext, ServiceDatabase } from '@greenroom/service';
import { readServerCertificate } from '@greenroom/tls';
import { Registry } from 'prom-client';
import { CRON_CHANNEL } from './cron/job-tables.ts';
import { createFindLogin } from './cron/login.ts';
import { createCronRunner } from './cron/runner.ts';
import { createCronMetrics, createJobsMetrics } from './metrics.ts';
import { createAddressRules } from './net/address-rules.ts';
import { createDispatcher } from './net/dispatcher.ts';
import { ownApiOf } from './net/own-api.ts';
import { NET_CHANNEL } from './net/queue.ts';
import { createWebhookSigner } from './net/webhook-signer.ts';
import { NET_ROLE } from './roles.ts';
import { openJobsSession } from './session.ts';
import type { JobsConfig } from './settings.ts';

/** The parts of the context of a server that jobs use. */
type JobsContext = Pick<ServiceContext<JobsConfig>, 'config' | 'log'> & {
  instance: Parameters<typeof ownApiOf>[0] & Parameters<typeof readServerCertificate>[0];
  database: Pick<ServiceDatabase, 'urlOf' | 'ownerUrl'>;
  keys: { file: Parameters<typeof webhookSecretsOf>[1] } | undefined;
};

/** Opens the service. Never waits for the database: it connects in the background. */
export async function open(context: JobsContext): Promise<OpenService> {
  const { config, instance, database, keys, log } = context;
  const registry = new Registry();
  const metrics = createJobsMetrics(registry);
  const rules = createAddressRules(config.net.allowedHosts);
  const own = ownApiOf(instance);
  const certificate = async () => (await readServerCertificate(instance, { hasDataFolder: true }))?.cert;
  // Loaded with the first request: most instances send none.
  const loadSender = async () => {
    const { createSender } = await import('./net/send.ts');
    const secrets = webhookSecretsOf(config.webhooks.secrets, keys?.file);
    const sign = createWebhookSigner(secrets, () => new Date());
    return createSender({ rules, own, certificate, maxResponseBytes: config.net.maxResponseBytes, sign });
  };
  const cronMetrics = createCronMetrics(registry);
  const findLogin = createFindLogin(database.ownerUrl);
  let isStart = true;
  const session = openJobsSession({
    url: database.urlOf(NET_ROLE),
    log,
    works: {
      [NET_CHANNEL]: (query) =>
        createDispatcher({ query, loadSender, limits: { ...config.net, ...config.webhooks }, metrics, log }),
      [CRON_CHANNEL]: (query) => {
        const runner = createCronRunner({
          query,
          findLogin,
          settings: config.cron,
          isStart,
          metrics: cronMetrics,
          log,
        });
        isStart = false;
        return runner;
      },
    },
    onActive: (isActive) => metrics.active.set(isActive ? 1 : 0),
  });
  return {
    routes: [],
    upgrades: [],
    health: { jobs: async () => session.requireConnected() },
    metrics: registry,
    close: () => session.close(),
  };
}
