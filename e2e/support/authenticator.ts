/** A device that holds keys, and answers at once: Chromium has a virtual one (Chrome DevTools Protocol, WebAuthn). */
import type { Page } from '@playwright/test';

/** What a device is like. */
interface Authenticator {
  /** `internal` is the computer itself, `usb` a key that is plugged in. */
  transport?: 'internal' | 'usb';
  /** Where not, it refuses. */
  isUserVerified?: boolean;
}

/** Adds one to a page. */
export async function addAuthenticator(
  page: Page,
  { transport = 'internal', isUserVerified = true }: Authenticator = {},
): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('WebAuthn.enable');
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
}
