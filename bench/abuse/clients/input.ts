/** Messages from the suite to the process of the well-behaved clients. */

/** A user with an account and a separate client address. */
export interface Person {
  address: string;
  userId: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

/** The instance and its users. */
export interface ClientsInput {
  url: string;
  publicUrl: string;
  anonKey: string;
  password: string;
  people: Person[];
}

/** A message of the suite. */
export type ClientsRequest = { kind: 'start'; input: ClientsInput } | { kind: 'begin' } | { kind: 'end' };
