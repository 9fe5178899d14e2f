/** Which pages of other origins may ask, and what of an answer they may read. The lists are PostgREST's (its module `Cors`). */
import type { CorsRules } from '@greenroom/http';
import type { DataInstance } from './instance.ts';

const EXPOSED_HEADERS = [
  'Content-Encoding',
  'Content-Location',
  'Content-Range',
  'Content-Type',
  'Date',
  'Location',
  'Server',
  'Transfer-Encoding',
  'Range-Unit',
];
/** Those that a page may send unasked (Fetch Standard, "CORS-safelisted request-header"). */
const SIMPLE_HEADERS = ['Accept', 'Accept-Language', 'Content-Language'];

/** The rules of an instance, as its settings have them at the time of each request. */
export function corsRules(instance: Pick<DataInstance, 'snapshot'>): CorsRules {
  return {
    allowedOrigins: () => instance.snapshot()?.config.corsAllowedOrigins,
    handlesOptions: true,
    lists: {
      exposed: EXPOSED_HEADERS,
      allowed: (asked) => ['Authorization', ...asked, ...SIMPLE_HEADERS],
    },
  };
}
