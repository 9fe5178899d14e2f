/** What the backend has switched on, of what pages offer. Asked for now and then, and never waited for long. */

/** Ways in and out that a site may have. */
export interface Offers {
  passkeys: boolean;
  /** Entry without any address. */
  anonymous: boolean;
  /** Names of OAuth providers, and of `email` and `phone`. */
  providers: readonly string[];
}

/** What can be counted on without an answer. */
const NOTHING: Offers = { passkeys: false, anonymous: false, providers: [] };
const FRESH_FOR_MS = 60_000;
const RETRY_AFTER_MS = 5_000;
const PATIENCE_MS = 1_000;

/** What {@link createOffers} asks; `settings` rejects, or resolves with what `GET /settings` answered. */
type AskSettings = (signal: AbortSignal) => Promise<unknown>;

/** Makes a reader that remembers. Old news is good while new ones are fetched. `now` gives milliseconds. */
export function createOffers(ask: AskSettings, now = Date.now): () => Promise<Offers> {
  let known = NOTHING;
  let freshUntil = 0;
  let pending: Promise<void> | undefined;
  const refresh = async () => {
    try {
      known = readOffers(await ask(AbortSignal.timeout(PATIENCE_MS)));
      freshUntil = now() + FRESH_FOR_MS;
    } catch {
      freshUntil = now() + RETRY_AFTER_MS;
    }
    pending = undefined;
  };
  return async () => {
    if (now() >= freshUntil) pending ??= refresh();
    if (pending && freshUntil === 0) await pending;
    return known;
  };
}

/** Reads the answer of `GET /settings`; what it does not say is not offered. */
export function readOffers(settings: unknown): Offers {
  const { external, passkeys_enabled: passkeys } = toRecord(settings);
  const { anonymous_users: anonymous, ...others } = toRecord(external);
  const providers = Object.keys(others).filter((name) => others[name] === true);
  return { passkeys: passkeys === true, anonymous: anonymous === true, providers };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
