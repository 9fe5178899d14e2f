/** The interfaces of rate limits for endpoints. */
import type { AuthRequest } from './request.ts';

/** The part of a request that identifies its client. */
export type Client = Pick<AuthRequest, 'address' | 'isCounted' | 'header'>;

/**
 * Returns the rate-limit keys of a client; empty if limits per client do not apply.
 * @param account id of the verified user, to count the user's requests regardless of the client's address
 */
export type ClientKeyReader = (client: Client, account?: string) => readonly string[];

/** The limits of one service instance. */
export interface RateLimits {
  /** Limits on the number of messages. */
  messages: MessageCaps;
  /** Returns the rate-limit keys of a request; empty if limits per client do not apply. */
  keysOf: ClientKeyReader;
  /**
   * Counts a request. Throws `over_request_rate_limit`.
   * @param account id of the verified user, if the request has one
   */
  check(operation: LimitedOperation, request: AuthRequest, now: Date, account?: string): void;
  /**
   * Runs an operation that may be a guess. If it fails with an error for which `isGuess` returns true, the client loses
   * a token. Without tokens, throws `over_request_rate_limit` and does not run the operation.
   */
  guard<T>(
    request: AuthRequest,
    now: Date,
    guess: () => Promise<T>,
    isGuess: (error: unknown) => boolean,
  ): Promise<T>;
  /**
   * Like {@link guard}, but counts per account whose password is checked, not per client. One-time codes and codes of
   * second factors are counted in their rows instead.
   */
  guardPassword<T>(
    userId: string,
    now: Date,
    guess: () => Promise<T>,
    isGuess: (error: unknown) => boolean,
  ): Promise<T>;
  /** Like {@link guard}, for requests to the admin API. */
  guardAdmin<T>(
    request: AuthRequest,
    now: Date,
    work: () => Promise<T>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<T>;
  /**
   * Enforces the minimum time between two messages of a kind to a recipient, even if the recipient has no account.
   * Throws `over_email_send_rate_limit` or `over_sms_send_rate_limit`.
   */
  requireSpacing(channel: MessageChannel, kind: string, recipient: string, now: Date): void;
  /** Like {@link requireSpacing}, but returns false instead of throwing, for endpoints whose response must not depend on it. */
  hasSpacing(channel: MessageChannel, kind: string, recipient: string, now: Date): boolean;
}

/**
 * A message that a request asks for. `client` has the client's rate-limit keys; without keys the message is not counted
 * per client.
 */
export interface RequestedMessage {
  channel: MessageChannel;
  /** Email address, or phone number as digits. */
  recipient: string;
  client: readonly string[];
}

/** The message limits of one service instance. */
export interface MessageCaps {
  /**
   * Counts a requested message. Throws `over_email_send_rate_limit` or `over_sms_send_rate_limit`, and then counts
   * nothing.
   */
  count(message: RequestedMessage, now: Date): void;
  /** Counts a message of an administrator, only for the total. Throws like {@link count}. */
  countTotal(channel: MessageChannel, now: Date): void;
  /**
   * Whether a notification of a change may be sent. Notifications are counted per recipient only, and separately from
   * requested mails, so that neither requests nor other accounts can suppress them.
   */
  allowsNotification(recipient: string, now: Date): boolean;
}

/** Channel that messages are counted by: `phone` is SMS and WhatsApp. */
export type MessageChannel = 'email' | 'phone';

/** An operation with a limit per client. */
export type LimitedOperation =
  | 'signup'
  | 'anonymous'
  | 'token'
  | 'captcha'
  | 'user'
  | 'otp'
  | 'magiclink'
  | 'recover'
  | 'resend'
  | 'reauthenticate'
  | 'verify'
  | 'enroll'
  | 'factor'
  | 'passkey'
  | 'passkeyVerify'
  | 'passkeyRegistration'
  | 'web3'
  | 'authorize'
  | 'callback'
  | 'oauthAuthorize'
  | 'oauthClient'
  | 'sso'
  | 'assertion';
