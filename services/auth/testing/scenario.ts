/** Table-driven requests: a request, and the expected properties of its response. */
import { expect } from 'vitest';
import type { AuthServer } from './auth-server.ts';

/** A request. An object as body is sent as JSON; text and bytes are sent unchanged. */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Below the service's prefix. */
  path: string;
  headers?: Record<string, string>;
  bearer?: string | undefined;
  body?: object | string | Uint8Array<ArrayBuffer>;
}

/** A response. `json` is undefined if the body is not JSON. */
export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely
  json: any;
}

/** A row of a table. */
export interface Scenario extends Call {
  name: string;
  /** Name of the token to send; the test maps it to a token. */
  as?: string;
  status: number;
  contains?: readonly string[];
  lacks?: readonly string[];
  responseHeaders?: Record<string, string>;
}

/** Sends a request. */
export async function send(
  server: AuthServer,
  { method = 'GET', path, headers, bearer, body }: Call,
): Promise<TestResponse> {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
    ...(body === undefined ? {} : { body: bodyOf(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

/** Sends a row's request and checks its response. */
export async function play(
  server: AuthServer,
  scenario: Scenario,
  tokens: Record<string, string> = {},
): Promise<TestResponse> {
  const bearer = scenario.as === undefined ? scenario.bearer : tokens[scenario.as];
  const response = await send(server, { ...scenario, bearer });
  expect(response.text.slice(0, 2000), `status ${response.status}`).toSatisfy(
    () => response.status === scenario.status,
  );
  for (const part of scenario.contains ?? []) expect(response.text).toContain(part);
  for (const part of scenario.lacks ?? []) expect(response.text).not.toContain(part);
  for (const [name, value] of Object.entries(scenario.responseHeaders ?? {})) {
    expect(response.headers.get(name), name).toBe(value);
  }
  return response;
}

function bodyOf(body: object | string | Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
