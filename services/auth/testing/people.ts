/** Users for tests. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AuthServer } from './auth-server.ts';
import { send, type TestResponse } from './scenario.ts';

/** Strong enough for the default rules. */
export const PASSWORD = 'correct horse';

/** A unique email address. */
export function newEmail(): string {
  return `${randomUUID()}@example.org`;
}

/** A random phone number in its stored form. */
export function newPhone(): string {
  return `1${Math.floor(1e9 + Math.random() * 9e9)}`;
}

/** A new account and its first session. */
export interface Person {
  email: string;
  id: string;
  sessionId: string;
  accessToken: string;
  refreshToken: string;
}

/** Signs up with {@link PASSWORD}. */
export async function signUpPerson(server: AuthServer, email: string = newEmail()): Promise<Person> {
  const response = await send(server, {
    method: 'POST',
    path: '/signup',
    body: { email, password: PASSWORD },
  });
  expect(response.status, response.text).toBe(200);
  return { email, ...sessionOf(response) };
}

/** Signs up and marks the address as proven, so that a code from its mailbox ends no session. */
export async function signUpProvenPerson(server: AuthServer): Promise<Person> {
  const person = await signUpPerson(server);
  await server.database.admin.query({
    text: `insert into auth.proven_addresses (user_id, kind, address, proven_at) values ($1, 'email', $2, now())`,
    values: [person.id, person.email],
  });
  return person;
}

/** Signs in with {@link PASSWORD}: another session of the same account. */
export async function signInPerson(server: AuthServer, email: string): Promise<Person> {
  const response = await send(server, {
    method: 'POST',
    path: '/token?grant_type=password',
    body: { email, password: PASSWORD },
  });
  expect(response.status, response.text).toBe(200);
  return { email, ...sessionOf(response) };
}

/** Exchanges a refresh token. */
export function refresh(server: AuthServer, refreshToken: string): Promise<TestResponse> {
  const body = { refresh_token: refreshToken };
  return send(server, { method: 'POST', path: '/token?grant_type=refresh_token', body });
}

/** The claims of a token, not verified. */
export function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function sessionOf({ json }: TestResponse): Omit<Person, 'email'> {
  return {
    id: json.user.id,
    sessionId: claimsOf(json.access_token).session_id,
    accessToken: json.access_token,
    refreshToken: json.refresh_token,
  };
}
