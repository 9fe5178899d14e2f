/** Keys of the plan cache. */
import { shapeOf } from '../query/shape.ts';
import type { ApiRequest, OptionsRequest, RequestHead, WriteRequest } from '../request/parse-request.ts';
import { callKey } from './call-plan.ts';

/**
 * Returns a key that two requests share only if they have the same plan and therefore the same SQL. The key contains all
 * inputs of the plan stage except values. It starts with the kind of the request, and only the name of the relation or
 * function may contain a NUL, so different lists of parts never have the same key.
 */
export function planKey(request: Exclude<ApiRequest, OptionsRequest>): string {
  const { http, profile, query } = request;
  const accept = http.headers.accept ?? '';
  switch (request.kind) {
    case 'read': {
      const { isHead, relation } = request.action;
      return [
        isHead ? 'head' : 'get',
        relation,
        shapeOf(query),
        rangeKey(request),
        request.preferences.count ?? '',
        profile.schema,
        accept,
      ].join('\0');
    }
    case 'call': {
      const { method, function: name, schema = profile.schema } = request.action;
      return [
        'call',
        method,
        name,
        callKey(request.arguments, request.contentType),
        shapeOf(query),
        rangeKey(request),
        request.preferences.count ?? '',
        schema,
        accept,
      ].join('\0');
    }
    case 'write': {
      const { kind, relation } = request.action;
      return [kind, relation, writeKey(request), profile.schema, accept, shapeOf(query)].join('\0');
    }
    case 'describe':
      return ['describe', request.action.isHead ? 'head' : 'get', profile.schema, accept].join('\0');
  }
}

/** Encodes whether the request has a limit and an offset. */
function rangeKey({ range }: RequestHead): string {
  return `${range.limit === undefined ? '' : 'l'}${range.offset === 0 ? '' : 'o'}`;
}

function writeKey({ preferences, rows }: WriteRequest): string {
  const { resolution, missing, count } = preferences;
  return JSON.stringify([resolution, missing, preferences.return, count, rows?.isArray, rows?.columns]);
}
