/** The answer to OPTIONS: the header Allow. It comes from the schema cache alone. */
import { findWithoutArguments } from '../plan/find-function.ts';
import { requireRelation } from '../plan/require-relation.ts';
import type { OptionsRequest } from '../request/parse-request.ts';
import type { Relation, SchemaCache, SqlFunction } from '../schema-cache/schema-cache.ts';
import type { Answer } from './answer.ts';

const METHODS_OF_ROOT = 'OPTIONS,GET,HEAD';

/** The answer. Throws PGRST205, PGRST202 and PGRST203. */
export function optionsAnswer(request: OptionsRequest, cache: SchemaCache): Answer {
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

/** The methods of a relation, as its kind and its primary key allow them. */
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

/** The methods of a function: GET and HEAD only for one that changes nothing. */
export function methodsOfFunction({ volatility }: Pick<SqlFunction, 'volatility'>): string {
  return volatility === 'volatile' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST';
}
