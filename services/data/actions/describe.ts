/** GET and HEAD of the root: the OpenAPI document of a schema, as far as the caller may use it. */

import { wholeBody } from '../execute/outcome.ts';
import { accessibleStatement, readAccessible } from '../openapi/accessible.ts';
import { apiDocument } from '../openapi/document.ts';
import manifest from '../package.json' with { type: 'json' };
import { requireOpenApi } from '../request/accept.ts';
import { contentTypeOf } from '../request/media-type.ts';
import type { Action } from '../request/method.ts';
import { requireKnownPreferences } from '../request/preferences.ts';
import { profileHeaders } from '../request/profile.ts';
import { type Answer, withFunctionsWishes } from '../respond/answer.ts';
import type { ActionContext } from './context.ts';
import { runStatement } from './run-statement.ts';

type DescribeAction = Extract<Action, { kind: 'describe' }>;

/**
 * Describes what there is.
 * @throws PGRST107, PGRST122, PostgreSQL's errors
 */
export async function describe(context: ActionContext, { isHead }: DescribeAction): Promise<Answer> {
  const { snapshot, profile, accepted, preferences } = context;
  const { mode } = snapshot.config.openApi;
  requireOpenApi(accepted);
  requireKnownPreferences(preferences);
  const { text, values } = accessibleStatement(
    profile.schema,
    mode === 'ignore-privileges' ? mode : 'follow-privileges',
  );
  context.timing?.lap('plan');
  const main = { text, slots: values.map((_, slot) => slot) };
  const outcome = await runStatement(context, { main, values, isReadOnly: true });
  const accessible = await wholeBody(outcome);
  const answer: Answer = {
    status: 200,
    headers: [['content-type', contentTypeOf({ kind: 'openapi' })], ...profileHeaders(profile)],
    body: isHead ? undefined : documentOf(context, accessible),
  };
  return withFunctionsWishes(answer, outcome);
}

/** Made once for all who may use the same. */
function documentOf({ snapshot, profile }: ActionContext, accessible: Buffer): string {
  const { documents, cache, config, publicUrl } = snapshot;
  const key = `${profile.schema}\0${accessible.toString('latin1')}`;
  const known = documents.get(key);
  if (known !== undefined) return known;
  const document = apiDocument(cache, {
    schema: profile.schema,
    accessible: readAccessible(accessible),
    url: config.openApi.proxyUri ?? publicUrl,
    version: manifest.version,
    isSecurityActive: config.openApi.isSecurityActive,
  });
  documents.set(key, document);
  return document;
}
