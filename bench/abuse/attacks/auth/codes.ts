/**
 * Guesses one-time codes. An instance may test at most ten guesses per code, regardless of the endpoint. Each attack
 * sends wrong guesses until it is refused, and then the right code: a sign-in proves that the guesses before it were
 * tested.
 */
import { createHash } from 'node:crypto';
import type { Victim } from '../../account.ts';
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { type AttackRequest, apiHeaders, send } from '../../attacker/http.ts';

const MAX_GUESSES = 10;
const GUESSES = 100;
const AT_ONCE = 20;
const ADDRESSES = 50;
/** No guess was sent from this address, so no limit per address applies. */
const FRESH_ADDRESS = '127.0.5.1';
const ACCEPTED = 'accepted guesses of the worst code';
const SIGNED_IN = 'sign-ins with the right code after more than 10 guesses';

type Guess = (context: AttackContext, victim: Victim, code: string) => AttackRequest;

/** Guesses codes as the form of an app does: address and code in the body of POST /verify. */
export const codesByForm: Attack = {
  name: 'auth/codes-by-form',
  description: 'wrong codes for an address, 20 at once, then the right one',
  cost: 'an account: six digits are guessed in a million requests',
  profile: 'confirming',
  victims: 3,
  run: (context) => guessAll(context, byForm, () => context.address),
  goals: ({ responses }) => guessGoals(responses),
};

/** Guesses codes from many client addresses. */
export const codesFromMany: Attack = {
  ...codesByForm,
  name: 'auth/codes-from-many',
  description: 'wrong codes for an address, each from another of 50 client addresses, then the right one',
  run: (at) => guessAll(at, byForm, addressOf),
};

/** Guesses the tokens of links, which are derived from the address and the code. */
export const codesByLink: Attack = {
  ...codesByForm,
  name: 'auth/codes-by-link',
  description:
    'links with tokens derived from an address and wrong codes, then from the right one, 50 client addresses',
  run: (context) => guessAll(context, byLink, addressOf),
};

/** Sends guessed link tokens over POST. */
export const codesByHash: Attack = {
  ...codesByForm,
  name: 'auth/codes-by-hash',
  description: 'such tokens as `token_hash` of POST /verify, 50 client addresses',
  run: (at) => guessAll(at, byHash, addressOf),
};

/** Guesses codes in the form of the sign-in page. */
export const codesByPage: Attack = {
  ...codesByForm,
  name: 'auth/codes-by-page',
  description: 'wrong codes in the form of the sign-in page, then the right one',
  run: (context) => guessAll(context, byPage, () => context.address),
};

const byForm: Guess = (context, { email }, code) => ({
  path: '/auth/v1/verify',
  headers: apiHeaders(context),
  body: JSON.stringify({ type: 'recovery', email, token: code }),
});

const byLink: Guess = (_context, victim, code) => ({
  path: `/auth/v1/verify?type=recovery&token=${tokenOf(victim, code)}`,
});

const byHash: Guess = (context, victim, code) => ({
  path: '/auth/v1/verify',
  headers: apiHeaders(context),
  body: JSON.stringify({ type: 'recovery', token_hash: tokenOf(victim, code) }),
});

const byPage: Guess = (_context, { email }, code) => ({
  path: '/login?mode=recover',
  headers: { origin: 'https://greenroom.example', 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ step: 'verify', email, code }).toString(),
});

/** Derives the token of a link as GoTrue does. */
function tokenOf({ email }: Victim, code: string): string {
  return createHash('sha224')
    .update(email + code)
    .digest('hex');
}

function addressOf(index: number): string {
  return `127.0.4.${1 + (index % ADDRESSES)}`;
}

async function guessAll(
  context: AttackContext,
  guess: Guess,
  addressOf: (index: number) => string,
): Promise<void> {
  for (const victim of context.victims) {
    const wrong = wrongCodes(victim);
    let accepted = 0;
    for (let first = 0; first < GUESSES && !context.signal.aborted; first += AT_ONCE) {
      const codes = wrong.slice(first, first + AT_ONCE);
      const kinds = await Promise.all(
        codes.map((code, index) =>
          sendGuess(context, guess(context, victim, code), addressOf(first + index)),
        ),
      );
      accepted += kinds.filter((kind) => kind === 'wrong').length;
      for (const kind of kinds) context.tally.count(kind);
    }
    if (accepted > context.tally.of(ACCEPTED))
      context.tally.count(ACCEPTED, accepted - context.tally.of(ACCEPTED));
    if (accepted <= MAX_GUESSES) continue;
    const kind = await sendGuess(context, guess(context, victim, victim.code), FRESH_ADDRESS);
    if (kind === 'signed in') context.tally.count(SIGNED_IN);
  }
}

/** Sends a guess. Returns `signed in`, `refused` by a limit, `wrong`, or the status. */
async function sendGuess(context: AttackContext, request: AttackRequest, address: string): Promise<string> {
  const { status, headers, text } = await send(context, { ...request, address });
  const body = `${headers.location ?? ''} ${text}`;
  if (/access_token/.test(body) || (status === 302 && /auth-token/.test(String(headers['set-cookie'])))) {
    return 'signed in';
  }
  if (status === 429 || /over_request_rate_limit/.test(body)) return 'refused';
  return /otp_expired|expired|invalid/i.test(body) ? 'wrong' : String(status);
}

function wrongCodes({ code }: Victim): string[] {
  return Array.from({ length: GUESSES }, (_, index) =>
    String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'),
  );
}

/** The goal counts sign-ins, because a `wrong` response does not prove that the guess was tested. */
function guessGoals(responses: Readonly<Record<string, number>>) {
  return [{ name: SIGNED_IN, value: responses[SIGNED_IN] ?? 0, max: 0 }];
}
