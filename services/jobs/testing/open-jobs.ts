/** Opens jobs for tests, without a server. */
import { createLogger } from '@greenroom/log';
import type { OpenService } from '@greenroom/service';
import { parseAllowedHost } from '../net/allowed-host.ts';
import { open } from '../open.ts';
import type { JobsConfig } from '../settings.ts';

/** Options of {@link openTestJobs}. */
interface TestJobs {
  /** URL of the instance's own API. */
  localUrl: string;
  /** URL of the role that sends the requests. */
  queueUrl: string;
  /** URL of the role whose cron jobs run. */
  ownerUrl?: string;
  /** Hosts that may be reached, e.g. `127.0.0.1:3000`. */
  allowed: readonly string[];
  net?: Partial<JobsConfig['net']>;
  webhooks?: Partial<JobsConfig['webhooks']>;
  log?: Parameters<typeof open>[0]['log'];
}

/** Opens the service. */
export function openTestJobs(options: TestJobs): Promise<OpenService> {
  const { localUrl, queueUrl, ownerUrl, allowed, net, webhooks, log = createLogger('silent') } = options;
  const allowedHosts = allowed.map(parseAllowedHost).filter((host) => host !== undefined);
  return open({
    config: {
      cron: { maxRunningJobs: 8, maxRunsPerJob: 100, timeZone: 'UTC' },
      net: {
        allowedHosts,
        maxConcurrentRequests: 50,
        maxResponseBytes: 1024 * 1024,
        responseTtlMs: 6 * 3_600_000,
        ...net,
      },
      webhooks: { pausesMs: [], failedTtlMs: 3_600_000, secrets: undefined, ...webhooks },
    },
    instance: {
      localUrl,
      appUrl: localUrl,
      externalUrl: 'https://api.example.org',
      baseURL: '/',
      tls: undefined,
      dataDirectory: '',
    },
    database: { urlOf: () => queueUrl, ownerUrl },
    keys: undefined,
    log,
  });
}
