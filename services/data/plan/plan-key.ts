/** Keys of the plan cache. */
import { shapeOf } from '../query/shape.ts';
import type { ApiRequest, OptionsRequest, RequestHead, WriteRequest } from '../request/parse-request.ts';
import { callKey } from './call-plan.ts';

/**
 * A key that two requests share only if they have the same plan, and so the same SQL. It contains what a plan depends on and
 * no values. Each kind of request has keys of its own, and of the parts only the name of the relation or function may contain
 * a NUL, so no two lists of parts give one key.
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

/** Whether there are a limit and an offset. */
function rangeKey({ range }: RequestHead): string {
  return `${range.limit === undefined ? '' : 'l'}${range.offset === 0 ? '' : 'o'}`;
}

function writeKey({ preferences, rows }: WriteRequest): string {
  const { resolution, missing, count } = preferences;
  return JSON.stringify([resolution, missing, preferences.return, count, rows?.isArray, rows?.columns]);
}
