/** OPTIONS: what can be done with something. Nothing is asked of the database. */
import { findWithoutArguments } from '../plan/find-function.ts';
import type { Action } from '../request/method.ts';
import type { Answer } from '../respond/answer.ts';
import { METHODS_OF_ROOT, methodsOfFunction, methodsOfRelation } from '../respond/status.ts';
import type { ActionContext } from './context.ts';
import { requireRelation } from './require-relation.ts';

type OptionsAction = Extract<Action, { kind: 'options' }>;

/** Says it by header Allow. Throws PGRST205, PGRST202 and PGRST203. */
export function options({ snapshot, profile }: ActionContext, { route }: OptionsAction): Answer {
  return { status: 200, headers: [['allow', methods()]], body: undefined };

  function methods(): string {
    switch (route.kind) {
      case 'root':
        return METHODS_OF_ROOT;
      case 'relation':
        return methodsOfRelation(
          requireRelation(snapshot.cache, { schema: profile.schema, name: route.name }),
        );
      case 'rpc':
        return methodsOfFunction(
          findWithoutArguments(snapshot.cache, { schema: route.schema ?? profile.schema, name: route.name }),
        );
    }
  }
}
