/** Determines the action of a request by its method and route. */
import { failure } from '../errors.ts';
import type { Route } from './route.ts';

export type WriteKind = 'insert' | 'update' | 'put' | 'delete';

/** The operation that a request performs. */
export type Action =
  | { kind: 'read'; relation: string; isHead: boolean }
  | { kind: WriteKind; relation: string }
  | {
      kind: 'call';
      function: string;
      /** Undefined means the schema of the request. */
      schema?: string | undefined;
      method: 'GET' | 'HEAD' | 'POST';
      isHead: boolean;
    }
  | { kind: 'describe'; isHead: boolean }
  | { kind: 'options'; route: Route };

/** Whether an action reads the request body. */
export function acceptsBody(action: Action): boolean {
  switch (action.kind) {
    case 'insert':
    case 'update':
    case 'put':
      return true;
    case 'call':
      return action.method === 'POST';
    default:
      return false;
  }
}

const WRITES: Readonly<Record<string, WriteKind>> = {
  POST: 'insert',
  PATCH: 'update',
  PUT: 'put',
  DELETE: 'delete',
};

/**
 * Returns the action for a method. PUT upserts the one row that the URL names.
 * @throws PGRST101 if a function does not support the method, PGRST117 if a relation or the root does not
 */
export function actionOf(route: Route, method: string): Action {
  if (method === 'OPTIONS') return { kind: 'options', route };
  switch (route.kind) {
    case 'root':
      return actionOnRoot(method);
    case 'rpc':
      return actionOnFunction(route, method);
    case 'relation':
      return actionOnRelation(route.name, method);
  }
}

function actionOnRoot(method: string): Action {
  if (method === 'GET' || method === 'HEAD') return { kind: 'describe', isHead: method === 'HEAD' };
  throw unsupported(method);
}

function actionOnFunction(
  { name, schema }: { name: string; schema?: string | undefined },
  method: string,
): Action {
  if (method === 'GET' || method === 'HEAD' || method === 'POST') {
    return { kind: 'call', function: name, schema, method, isHead: method === 'HEAD' };
  }
  throw failure('PGRST101', { message: `Cannot use the ${method} method on RPC` });
}

function actionOnRelation(relation: string, method: string): Action {
  if (method === 'GET' || method === 'HEAD') return { kind: 'read', relation, isHead: method === 'HEAD' };
  const kind = Object.hasOwn(WRITES, method) ? WRITES[method] : undefined;
  if (kind === undefined) throw unsupported(method);
  return { kind, relation };
}

function unsupported(method: string) {
  return failure('PGRST117', { message: `Unsupported HTTP method: ${method}` });
}
