/**
 * The features that the backend has enabled. They are refreshed in the background, and a request waits for
 * them at most once, briefly.
 */

/** Sign-in methods that a site may offer. */
export interface AuthFeatures {
  passkeys: boolean;
  /** Sign-in without an email address or a phone number. */
  anonymous: boolean;
  /** Names of OAuth providers, and of `email` and `phone`. */
  providers: readonly string[];
}

/** The features before the first response of the backend. */
const NO_FEATURES: AuthFeatures = { passkeys: false, anonymous: false, providers: [] };
const FRESH_FOR_MS = 60_000;
const RETRY_AFTER_MS = 5_000;
const TIMEOUT_MS = 1_000;

/** Fetches `GET /settings` for {@link createFeatureReader}; rejects if that fails. */
type FetchSettings = (signal: AbortSignal) => Promise<unknown>;

/**
 * Creates a cached reader. While a refresh is running, it returns the previous value. `now` returns
 * milliseconds.
 */
export function createFeatureReader(
  fetchSettings: FetchSettings,
  now = Date.now,
): () => Promise<AuthFeatures> {
  let known = NO_FEATURES;
  let freshUntil = 0;
  let pending: Promise<void> | undefined;
  const refresh = async () => {
    try {
      known = parseFeatures(await fetchSettings(AbortSignal.timeout(TIMEOUT_MS)));
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

/** Parses the response of `GET /settings`; features that it does not mention are off. */
export function parseFeatures(settings: unknown): AuthFeatures {
  const { external, passkeys_enabled: passkeys } = toRecord(settings);
  const { anonymous_users: anonymous, ...others } = toRecord(external);
  const providers = Object.keys(others).filter((name) => others[name] === true);
  return { passkeys: passkeys === true, anonymous: anonymous === true, providers };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
