/** The data API on the harbour database, and the check of a scenario against it. */
import { readFileSync } from 'node:fs';
import type { ConfigSource } from '@greenroom/config';
import { expect } from 'vitest';
import { DataServer, type WireRequest, type WireResponse } from '../../testing/data-server.ts';

/**
 * Starts a data API on the harbour database. Writes are rolled back unless the request prefers `tx=commit`, so that
 * every test finds the same rows.
 * @param more SQL that runs after that of the harbour
 */
export function openHarbour(settings: ConfigSource = {}, more = ''): Promise<DataServer> {
  const shared = readFileSync(new URL('harbour.sql', import.meta.url), 'utf8');
  const all = { PGRST_DB_TX_END: 'rollback-allow-override', PGRST_DB_PLAN_ENABLED: 'true', ...settings };
  return DataServer.open(more, all, { shared });
}

/** A request and the expected response. */
interface Exchange extends WireRequest {
  path: string;
  /** 200 by default. */
  status?: number;
  /** The body as JSON; of an error, the part that matters. */
  json?: unknown;
  /** The body as text. */
  text?: string;
  /** By name; null is for one that must not be there. */
  answered?: Record<string, unknown>;
}

/** A row of a table of tests. */
export interface Scenario extends Exchange {
  name: string;
}

/** Asks, and compares. Of every error, what all errors have in common is compared, too. */
export async function check(server: DataServer, exchange: Exchange): Promise<void> {
  const { path, status = 200, json, text, answered = {}, method, headers, body, claims } = exchange;
  const response = await server.request(path, {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(claims !== undefined && { claims }),
    ...(body !== undefined && { body: bytesOf(body) }),
  });
  // With the text, a test that fails says why.
  expect({ status: response.status, text: response.text }).toMatchObject({ status });
  if (text !== undefined) expect(response.text).toBe(text);
  if (json !== undefined && status < 400) expect(response.json).toEqual(json);
  const names = Object.keys(answered);
  expect(Object.fromEntries(names.map((name) => [name, response.header(name)]))).toEqual(answered);
  if (status < 400) return;
  expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  expect(response.header('proxy-status')).toMatch(/^PostgREST; error=\w+$/);
  if (method !== 'HEAD') expectError(response, json);
}

/** Bytes, because `fetch` adds a content type to a text. */
function bytesOf(body: unknown): Uint8Array {
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

function expectError(response: WireResponse, expected: unknown): void {
  const body = response.json as { code: string };
  expect(body).toMatchObject((expected ?? {}) as object);
  expect(response.header('proxy-status')).toBe(`PostgREST; error=${body.code}`);
  expect(Object.keys(body)).toEqual(['code', 'details', 'hint', 'message']);
}
