/** What the process of the well-behaved clients gets from the suite. */

/** One person with an account, and a client address of their own. */
export interface Person {
  address: string;
  userId: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

/** The instance and its people. */
export interface ClientsInput {
  url: string;
  publicUrl: string;
  anonKey: string;
  password: string;
  people: Person[];
}

/** A request of the suite. */
export type ClientsRequest = { kind: 'start'; input: ClientsInput } | { kind: 'begin' } | { kind: 'end' };
