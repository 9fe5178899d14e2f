/**
 * What a description of an SMS provider consists of: pure functions from a message to an HTTP request, and from the
 * answer to what it says. Nothing here sends anything.
 */
import type { Channel } from '../message.ts';
import type { OutgoingMessage, SendOutcome } from '../sender.ts';

/** What a provider has to know of a message. `recipient` is the digits of a phone number. */
type SmsText = Pick<OutgoingMessage, 'channel' | 'recipient' | 'text_body'>;

/** A POST of a form. */
export interface SmsRequest {
  /** Below the provider's URL. */
  path: string;
  headers?: Record<string, string>;
  form: Record<string, string>;
}

/** Describes a provider. The answers' bodies are parsed JSON, or undefined where they are none. */
export interface SmsProvider<Credentials> {
  /** Its own address, without a slash at the end. */
  url: string;
  channels: readonly Channel[];
  request(message: SmsText, credentials: Credentials): SmsRequest;
  /** What an answer with a status of success says. */
  read(body: unknown): SendOutcome;
  /** What an answer with another status gives as its reason. */
  reasonOf(body: unknown): string | undefined;
}

/** The provider took the message. */
export function accepted(providerId: string | undefined): SendOutcome {
  return { isSent: true, providerId };
}

/** The provider does not take the message, or not now. */
export function refused(reason: string, { isPermanent }: { isPermanent: boolean }): SendOutcome {
  return { isSent: false, reason, isPermanent };
}

/** Nobody can tell whether such an answer means that the message went out. Twice is better than never. */
export const UNREADABLE = refused('the answer could not be read', { isPermanent: false });

/**
 * Statuses of 4xx that say nothing of the message: the provider's "not now", and what the operator has to mend with it,
 * i.e. the credentials (401, 403) and the account's money (402).
 */
const TEMPORARY = new Set([401, 402, 403, 408, 429]);

/** What an answer says, given its status: 4xx is for good, but for those of {@link TEMPORARY} (RFC 9110 §15.5). */
export function readAnswer(
  { read, reasonOf }: Pick<SmsProvider<never>, 'read' | 'reasonOf'>,
  { status, body }: { status: number; body: unknown },
): SendOutcome {
  if (status >= 200 && status < 300) return read(body);
  const isPermanent = status >= 400 && status < 500 && !TEMPORARY.has(status);
  return refused(`${status}: ${reasonOf(body) ?? 'no reason given'}`, { isPermanent });
}
