/**
 * The constants of the specification, section 9, in one place. They include those of the official clients, so that a
 * test detects a change in a newer client. Times are in milliseconds and lengths in pixels, unless stated otherwise.
 * Import them as a namespace: each is an export, so that pages contain only those they use.
 */

export const cookie = {
  path: '/',
  sameSite: 'lax',
  maxAgeSeconds: 400 * 24 * 3600,
  chunkCharacters: 3180,
} as const;
export const tokenRefresh = { firstBackoff: 200, backoffFactor: 2 } as const;
export const backendFetch = { attempts: 3, firstWait: 100 } as const;
export const auth = { retryInterval: 30_000, retries: 3 } as const;
export const realtime = {
  requestTimeout: 10_000,
  heartbeat: 25_000,
  reconnectAfter: [1000, 2000, 5000, 10_000],
} as const;
export const storage = {
  list: { limit: 100, offset: 0, sortBy: { column: 'name', order: 'asc' } },
  cacheControlSeconds: 3600,
} as const;
export const icon = { requestTimeout: 1500, idleSlice: 50, maxUrlCharacters: 500 } as const;
export const reloadGuard = { ttl: 10_000 } as const;
export const toast = { duration: 5000, max: 5, removalDelay: 200, swipeThreshold: 50, hotkey: 'F8' } as const;
export const tooltip = { openDelay: 700, skipDelay: 300 } as const;
/** Side lengths; the initials inside are half as high. */
export const avatar = {
  '3xs': 16,
  '2xs': 20,
  xs: 24,
  sm: 28,
  md: 32,
  lg: 36,
  xl: 40,
  '2xl': 44,
  '3xl': 48,
} as const;
export const colours = { primary: 'green', neutral: 'slate' } as const;
