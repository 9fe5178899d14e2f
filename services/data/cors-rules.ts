/**
 * The CORS rules: which origins may send requests, and which response headers they may read. The lists are those of
 * PostgREST's module `Cors`.
 */
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
/** Headers that a page may send without a preflight (Fetch Standard, "CORS-safelisted request-header"). */
const SIMPLE_HEADERS = ['Accept', 'Accept-Language', 'Content-Language'];

/** Returns the rules of an instance. The allowed origins follow the settings at the time of each request. */
export function corsRules(instance: Pick<DataInstance, 'snapshot'>): CorsRules {
  return {
    allowedOrigins: () => instance.snapshot()?.config.corsAllowedOrigins,
    handlesOptions: true,
    lists: {
      exposed: EXPOSED_HEADERS,
      allowed: (requested) => ['Authorization', ...requested, ...SIMPLE_HEADERS],
    },
  };
}
