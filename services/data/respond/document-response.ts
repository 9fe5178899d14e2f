/** The response to GET and HEAD of the root: the OpenAPI document of a schema, limited to the privileges of the caller. */

import type { LRUCache } from 'lru-cache';
import { type Outcome, wholeBody } from '../execute/outcome.ts';
import { readAccessible } from '../openapi/accessible.ts';
import { apiDocument } from '../openapi/document.ts';
import manifest from '../package.json' with { type: 'json' };
import type { DescribeExecution } from '../plan/request-plan.ts';
import type { Profile } from '../request/profile.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import type { DataConfig } from '../settings/settings.ts';
import { contentHeaders } from './content-headers.ts';
import { type HttpResponse, withResponseSettings } from './http-response.ts';

/** The inputs of OpenAPI documents, and the cache of generated documents. */
export interface DocumentContext {
  config: Pick<DataConfig, 'openApi' | 'maxRows'>;
  cache: SchemaCache;
  /** The URL of the service, unless `openApi.proxyUri` is configured. */
  publicUrl: string;
  /** Documents by schema and privileges. */
  documents: LRUCache<string, string>;
}

/** Creates the response. Throws PGRST111 and PGRST112. */
export async function documentResponse(
  outcome: Outcome,
  { isHead }: DescribeExecution,
  profile: Profile,
  context: DocumentContext,
): Promise<HttpResponse> {
  const accessible = await wholeBody(outcome);
  const headers = contentHeaders(profile, { mediaType: { kind: 'openapi' } });
  const body = isHead ? undefined : documentOf(context, profile, accessible);
  return withResponseSettings({ status: 200, headers, body }, outcome);
}

/** Callers with the same privileges share a cached document. */
function documentOf(
  { documents, cache, config, publicUrl }: DocumentContext,
  { schema }: Profile,
  accessible: Buffer,
): string {
  const key = `${schema}\0${accessible.toString('latin1')}`;
  const known = documents.get(key);
  if (known !== undefined) return known;
  const document = apiDocument(cache, {
    schema,
    accessible: readAccessible(accessible),
    url: config.openApi.proxyUri ?? publicUrl,
    version: manifest.version,
    isSecurityActive: config.openApi.isSecurityActive,
  });
  documents.set(key, document);
  return document;
}
