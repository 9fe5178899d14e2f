/** The response to a read of a relation or to a call of a function. */
import type { Outcome } from '../execute/outcome.ts';
import type { Header } from '../headers.ts';
import type { CallExecution, ReadExecution } from '../plan/request-plan.ts';
import type { RequestHead } from '../request/parse-request.ts';
import type { Preferences } from '../request/preferences.ts';
import { appliedHeaders, contentHeaders } from './content-headers.ts';
import { readExtent } from './content-range.ts';
import { contentLocationOf, locationHeader } from './headers.ts';
import { type HttpResponse, withResponseSettings } from './http-response.ts';
import { legacyNameWarnings } from './legacy-names.ts';
import { isVoid } from './status.ts';

/**
 * Creates the response.
 * @param maxRows the setting `db-max-rows`
 * @throws PGRST103, PGRST111, PGRST112
 */
export function rowsResponse(
  outcome: Outcome,
  plan: ReadExecution | CallExecution,
  request: RequestHead,
  maxRows: number | undefined,
): HttpResponse {
  const { profile, preferences, range } = request;
  const total = totalOf(outcome, preferences.count, maxRows);
  const { status, contentRange } = readExtent(range, outcome.pageCount, total);
  const headers: Header[] = [
    ['content-range', contentRange],
    ...locationOfRows(plan, request),
    ...appliedHeaders(preferences, plan),
    ...legacyNameWarnings(plan.legacyReferences),
  ];
  if (plan.kind === 'call' && isVoid(plan.call.function)) {
    return withResponseSettings({ status: 204, headers, body: undefined }, outcome);
  }
  headers.push(...contentHeaders(profile, plan.negotiated));
  const body = plan.isHead ? undefined : (outcome.body ?? '');
  return withResponseSettings({ status, headers, body }, outcome);
}

function locationOfRows(plan: ReadExecution | CallExecution, { urlParameters }: RequestHead): Header[] {
  if (plan.kind === 'call') return [];
  return locationHeader('content-location', contentLocationOf(plan.relation.name, urlParameters));
}

/**
 * Returns the total for Content-Range. An estimate is never less than the counted rows. With `db-max-rows`, the estimate is
 * used only if the counted rows exceed that maximum.
 */
function totalOf(
  { totalCount, estimatedCount }: Outcome,
  count: Preferences['count'],
  maxRows: number | undefined,
): number | undefined {
  if (count === 'planned') return estimatedCount;
  if (totalCount === undefined || estimatedCount === undefined) return totalCount;
  return maxRows === undefined || totalCount > maxRows ? Math.max(totalCount, estimatedCount) : totalCount;
}
