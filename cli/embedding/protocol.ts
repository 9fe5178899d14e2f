/** The messages between a program and the instance that it has started as a child process. */

/** Variable of a child process that reports to its parent, and ends with it. */
export const EMBEDDED_VARIABLE = 'GREENROOM_EMBEDDED';

/** Addresses and keys of a running instance. With a hosted backend, those that only the backend has are empty. */
export interface InstanceDetails {
  /** Public URL of the pages; equals `apiUrl` unless another one is configured. */
  url: string;
  /** URL for clients of the API on this machine. */
  apiUrl: string;
  /** Connection URL of `postgres`, the owner of the database. */
  databaseUrl: string;
  /** JWT of the role `anon`, as hosted projects have it. */
  anonKey: string;
  /** JWT of the role `service_role`, which bypasses row-level security. */
  serviceRoleKey: string;
  /** `sb_publishable_…`, the key of browsers. */
  publishableKey: string;
  /** `sb_secret_…`, the key of servers. */
  secretKey: string;
  jwtSecret: string;
  /** URL of the HTTP API of the local mailbox; undefined if it has no ports. */
  mailboxUrl: string | undefined;
  /** Link that makes its visitor an administrator; undefined if there is an administrator. */
  firstAdminUrl: string | undefined;
  /** Absolute path. */
  dataFolder: string;
}

/** A message from the instance to its parent. */
export type InstanceMessage =
  | { type: 'ready'; instance: InstanceDetails }
  | { type: 'failed'; name: string; message: string };
