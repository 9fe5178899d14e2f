/** The response to POST, PATCH, PUT and DELETE of a relation. */
import type { Outcome } from '../execute/outcome.ts';
import type { Header } from '../headers.ts';
import type { WriteExecution } from '../plan/request-plan.ts';
import type { RequestHead } from '../request/parse-request.ts';
import { appliedHeaders, contentHeaders } from './content-headers.ts';
import { writtenExtent } from './content-range.ts';
import { locationHeader, locationOf, readLocation } from './headers.ts';
import { type HttpResponse, withResponseSettings } from './http-response.ts';
import { legacyNameWarnings } from './legacy-names.ts';
import { returnsRows, writeStatus } from './status.ts';

/** Creates the response. Throws PGRST111 and PGRST112. */
export function writeResponse(
  outcome: Outcome,
  plan: WriteExecution,
  { profile, preferences }: RequestHead,
): HttpResponse {
  const { kind, relation } = plan;
  const key = readLocation(plan, outcome.location);
  const hasRows = returnsRows(preferences);
  const headers: Header[] = [
    ...(key === undefined ? [] : locationHeader('location', locationOf(relation.name, key))),
    ...(kind === 'put'
      ? []
      : [['content-range', writtenExtent(kind, outcome.pageCount, outcome.totalCount)] as const]),
    ...appliedHeaders(preferences, plan, plan.hasArbiter),
    ...(hasRows ? contentHeaders(profile, plan.negotiated) : []),
    ...legacyNameWarnings(plan.legacyReferences),
  ];
  const status = writeStatus(kind, preferences, outcome.insertedCount);
  const body = hasRows ? (outcome.body ?? '') : undefined;
  return withResponseSettings({ status, headers, body }, outcome);
}
