/** Settings of jobs: the limits of cron jobs and HTTP requests of SQL, and the addresses that requests may reach. */
import {
  type ConfigOf,
  defineSettings,
  durationSetting,
  integerSetting,
  parseDuration,
  setting,
  splitList,
} from '@greenroom/config';
import { createToLocal } from '@greenroom/schedule';
import { z } from 'zod';
import { type AllowedHost, parseAllowedHost } from './net/allowed-host.ts';

const KILOBYTE = 1024;

const allowedHosts = z.string().transform((text, context): AllowedHost[] => {
  const entries = splitList(text).map(parseAllowedHost);
  const valid = entries.filter((entry) => entry !== undefined);
  if (valid.length < entries.length) context.addIssue({ code: 'custom' });
  return valid;
});

const MAX_PAUSES = 20;
const MAX_PAUSE_MS = 7 * 24 * 3_600_000;
const NO_PAUSES = 'none';

const pauses = z.string().transform((text, context): number[] => {
  if (text.trim() === NO_PAUSES) return [];
  const values = splitList(text).map(parseDuration);
  const valid = values.filter((ms) => ms !== undefined).filter((ms) => ms <= MAX_PAUSE_MS);
  if (valid.length < values.length || values.length === 0 || values.length > MAX_PAUSES)
    context.addIssue({ code: 'custom' });
  return valid;
});

/** 24 to 64 bytes, as Standard Webhooks requires. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
const secrets = z
  .string()
  .transform((text) => text.split('|').map((secret) => secret.trim()))
  .pipe(z.array(z.string().regex(SECRET)));

const timeZone = z.string().refine((name) => {
  try {
    return createToLocal(name) !== undefined;
  } catch {
    return false;
  }
});

/** Settings of jobs. */
export const jobsSettings = defineSettings({
  title: 'Jobs',
  tree: {
    cron: {
      maxRunningJobs: integerSetting('GREENROOM_CRON_MAX_RUNNING_JOBS', 1, 1000, {
        default: '8',
        description:
          'Maximum number of cron jobs that run at once, each on a separate connection. Further jobs wait.',
      }),
      maxRunsPerJob: integerSetting('GREENROOM_CRON_MAX_RUNS_PER_JOB', 1, 1_000_000_000, {
        default: '10000',
        description:
          'Number of runs of each job that `cron.job_run_details` keeps; older ones are deleted after some time.',
      }),
      timeZone: setting('GREENROOM_CRON_TIMEZONE', timeZone, 'a time zone such as UTC or Europe/Berlin', {
        default: 'UTC',
        description: 'Time zone of the schedules of cron jobs.',
      }),
    },
    net: {
      allowedHosts: setting(
        'GREENROOM_NET_ALLOWED_HOSTS',
        allowedHosts,
        'names, addresses and ranges such as api.internal, 10.0.0.5:8080 or 10.1.0.0/16, separated by commas; this machine only with a port, e.g. host.docker.internal:3000',
        {
          default: '',
          description:
            'Hosts that HTTP requests of SQL (`net.http_post`, database webhooks) may reach although their addresses are not public. The API of the instance itself is always reachable.',
        },
      ),
      maxConcurrentRequests: integerSetting('GREENROOM_NET_MAX_CONCURRENT_REQUESTS', 1, 1000, {
        default: '50',
        description: 'Maximum number of HTTP requests of SQL that are in progress at once.',
      }),
      maxResponseBytes: integerSetting('GREENROOM_NET_MAX_RESPONSE_SIZE_IN_KB', 1, 65_536, {
        default: '1024',
        description:
          'Maximum size of a response to an HTTP request of SQL, in kilobytes. The content of a larger one is not stored.',
      }).map((kilobytes) => kilobytes * KILOBYTE),
      responseTtlMs: durationSetting('GREENROOM_NET_RESPONSE_TTL', {
        default: '6h',
        description: 'Time for which responses remain in `net._http_response`.',
      }),
    },
    webhooks: {
      pausesMs: setting(
        'GREENROOM_WEBHOOK_RETRIES',
        pauses,
        'up to 20 durations such as 5s,5m,2h, of at most 168h each, or none',
        {
          default: '5s,5m,30m,2h,5h,8h,8h',
          description:
            'Pauses before the second, third… attempt of a database webhook. Each is extended by up to a fifth at random.',
        },
      ),
      failedTtlMs: durationSetting('GREENROOM_WEBHOOK_FAILED_TTL', {
        default: '720h',
        description: 'Time for which failed database webhooks are kept, so that they can be sent again.',
      }),
      /** Undefined means that those of the key file sign. */
      secrets: setting(
        'GREENROOM_WEBHOOK_SECRETS',
        secrets,
        'whsec_ followed by 24 to 64 bytes in base64; several secrets are separated by a vertical bar',
        {
          default: undefined,
          secret: true,
          description:
            'Secrets that sign database webhooks. Each adds a signature. Unset: the secret of the instance, which `greenroom status` prints.',
        },
      ),
    },
  },
  complete: (values) => values,
});

export type JobsConfig = ConfigOf<typeof jobsSettings>;
