/** Settings of jobs: the limits of HTTP requests of SQL, and the addresses that they may reach. */
import {
  type ConfigOf,
  defineSettings,
  durationSetting,
  integerSetting,
  setting,
  splitList,
} from '@greenroom/config';
import { z } from 'zod';
import { type AllowedHost, parseAllowedHost } from './net/allowed-host.ts';

const KILOBYTE = 1024;

const allowedHosts = z.string().transform((text, context): AllowedHost[] => {
  const entries = splitList(text).map(parseAllowedHost);
  const valid = entries.filter((entry) => entry !== undefined);
  if (valid.length < entries.length) context.addIssue({ code: 'custom' });
  return valid;
});

/** Settings of jobs. */
export const jobsSettings = defineSettings({
  title: 'Jobs',
  tree: {
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
  },
  complete: (values) => values,
});

export type JobsConfig = ConfigOf<typeof jobsSettings>;
