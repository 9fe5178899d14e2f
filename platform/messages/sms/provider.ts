/**
 * The description of an SMS provider: pure functions that convert a message to an HTTP request, and the response to an
 * outcome. They send nothing themselves.
 */
import type { Channel } from '../message.ts';
import type { OutgoingMessage, SendOutcome } from '../sender.ts';

/** The part of a message that a provider uses. `recipient` is the digits of a phone number. */
type SmsText = Pick<OutgoingMessage, 'channel' | 'recipient' | 'text_body' | 'code'>;

/** A POST request with a form. */
export interface SmsRequest {
  /** Path below the provider's URL. */
  path: string;
  headers?: Record<string, string>;
  form: Record<string, string>;
}

/** Describes a provider. The bodies of responses are parsed JSON, or undefined if they are not JSON. */
export interface SmsProvider<Credentials> {
  /** The provider's own address, without a trailing slash. */
  url: string;
  channels: readonly Channel[];
  request(message: SmsText, credentials: Credentials): SmsRequest;
  /** Reads the outcome from a response with a success status. */
  read(body: unknown): SendOutcome;
  /** Reads the reason from a response with another status. */
  reasonOf(body: unknown): string | undefined;
}

/** The outcome of a message that the provider has accepted. */
export function accepted(providerId: string | undefined): SendOutcome {
  return { isSent: true, providerId };
}

/** The outcome of a message that the provider has rejected. */
export function refused(reason: string, { isPermanent }: { isPermanent: boolean }): SendOutcome {
  return { isSent: false, reason, isPermanent };
}

/**
 * With an unreadable response it is unknown whether the message was sent. It is retried, because a duplicate is better
 * than a lost message.
 */
export const UNREADABLE = refused('the response could not be parsed', { isPermanent: false });

/**
 * 4xx statuses that are not about the message: temporary ones, and those that the operator has to resolve with the
 * provider, i.e. wrong credentials (401, 403) or lack of money (402).
 */
const TEMPORARY = new Set([401, 402, 403, 408, 429]);

/** Reads the outcome from a response: 4xx is permanent, except for those of {@link TEMPORARY} (RFC 9110 §15.5). */
export function readOutcome(
  { read, reasonOf }: Pick<SmsProvider<never>, 'read' | 'reasonOf'>,
  { status, body }: { status: number; body: unknown },
): SendOutcome {
  if (status >= 200 && status < 300) return read(body);
  const isPermanent = status >= 400 && status < 500 && !TEMPORARY.has(status);
  return refused(`${status}: ${reasonOf(body) ?? 'no reason given'}`, { isPermanent });
}
