/** The response to OPTIONS: the header Allow. It depends only on the schema cache, not on privileges. */
import { findWithoutArguments } from '../plan/find-function.ts';
import { requireRelation } from '../plan/require-relation.ts';
import type { OptionsRequest } from '../request/parse-request.ts';
import type { Relation, SchemaCache, SqlFunction } from '../schema-cache/schema-cache.ts';
import type { HttpResponse } from './http-response.ts';

const METHODS_OF_ROOT = 'OPTIONS,GET,HEAD';

/** Creates the response. Throws PGRST205, PGRST202 and PGRST203. */
export function optionsResponse(request: OptionsRequest, cache: SchemaCache): HttpResponse {
  return { status: 200, headers: [['allow', methodsOf(request, cache)]], body: undefined };
}

function methodsOf({ action: { route }, profile }: OptionsRequest, cache: SchemaCache): string {
  switch (route.kind) {
    case 'root':
      return METHODS_OF_ROOT;
    case 'relation':
      return methodsOfRelation(requireRelation(cache, { schema: profile.schema, name: route.name }));
    case 'rpc': {
      const name = { schema: route.schema ?? profile.schema, name: route.name };
      return methodsOfFunction(findWithoutArguments(cache, name));
    }
  }
}

/** Returns the methods that a relation supports, depending on its kind and its primary key. */
export function methodsOfRelation(relation: Relation): string {
  const { isInsertable, isUpdatable, isDeletable, primaryKey } = relation;
  return [
    'OPTIONS,GET,HEAD',
    ...(isInsertable ? ['POST'] : []),
    ...(isInsertable && isUpdatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(isUpdatable ? ['PATCH'] : []),
    ...(isDeletable ? ['DELETE'] : []),
  ].join(',');
}

/** Returns the methods that a function supports. Volatile functions do not support GET and HEAD. */
export function methodsOfFunction({ volatility }: Pick<SqlFunction, 'volatility'>): string {
  return volatility === 'volatile' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST';
}
