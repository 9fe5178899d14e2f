/** Limits of requests, as endpoints see them. */
import type { AuthRequest } from './request.ts';

/** The part of a request that identifies its client. */
export type Client = Pick<AuthRequest, 'address' | 'isCounted' | 'header'>;

/**
 * The keys that a client is counted under: none where limits per client do not apply.
 * @param account id of the verified user, whose requests are counted wherever they come from
 */
export type ClientKeyReader = (client: Client, account?: string) => readonly string[];

/** The limits of one service instance. */
export interface RateLimits {
  /** Caps on messages. */
  messages: MessageCaps;
  /** The keys that a request is counted under; none: limits per client do not apply. */
  keysOf: ClientKeyReader;
  /**
   * Counts a request. Throws `over_request_rate_limit`.
   * @param account id of the verified user, if the request has one
   */
  check(operation: LimitedOperation, request: AuthRequest, now: Date, account?: string): void;
  /**
   * Runs what may be a guess. While `isGuess` says of its error that it was one, its client's chances shrink;
   * when they are used up, throws `over_request_rate_limit` without running it.
   */
  guard<T>(
    request: AuthRequest,
    now: Date,
    guess: () => Promise<T>,
    isGuess: (error: unknown) => boolean,
  ): Promise<T>;
  /**
   * As {@link guard}, by the account whose password is checked instead of the client. One-time codes and codes of second
   * factors are counted in their rows.
   */
  guardPassword<T>(
    userId: string,
    now: Date,
    guess: () => Promise<T>,
    isGuess: (error: unknown) => boolean,
  ): Promise<T>;
  /** As {@link guard}, for requests to the admin API. */
  guardAdmin<T>(
    request: AuthRequest,
    now: Date,
    work: () => Promise<T>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<T>;
  /**
   * Makes sure that messages of a kind do not come too soon after each other, whether or not the recipient has an
   * account. Throws `over_email_send_rate_limit` or `over_sms_send_rate_limit`.
   */
  space(channel: MessageChannel, kind: string, recipient: string, now: Date): void;
  /** As {@link space}, for requests that are answered alike: false where a message would come too soon. */
  isSpaced(channel: MessageChannel, kind: string, recipient: string, now: Date): boolean;
}

/** A message that a request asks for. `client` holds the keys of its client; none: not counted per client. */
export interface RequestedMessage {
  channel: MessageChannel;
  /** Email address, or digits of a phone number. */
  recipient: string;
  client: readonly string[];
}

/** The caps of one service instance. */
export interface MessageCaps {
  /** Counts a request. Throws `over_email_send_rate_limit` or `over_sms_send_rate_limit`, and counts nothing then. */
  count(message: RequestedMessage, now: Date): void;
  /** Counts a message of an administrator, in total alone. Throws as {@link count}. */
  countTotal(channel: MessageChannel, now: Date): void;
  /**
   * Whether a mail that notifies of a change may be sent. These are counted per recipient alone, apart from requested
   * mails: neither requests nor other accounts can suppress them.
   */
  allowsNotification(recipient: string, now: Date): boolean;
}

/** What messages are counted by: `phone` is SMS and WhatsApp. */
export type MessageChannel = 'email' | 'phone';

/** An operation that is limited per client. */
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
