/** A virtual authenticator in Chromium, which responds without a user (Chrome DevTools Protocol, WebAuthn). */
import type { Page } from '@playwright/test';

/** Properties of the device. */
interface Authenticator {
  /** `internal` is the computer itself, `usb` a security key. */
  transport?: 'internal' | 'usb';
  /** Whether the device verifies the user; if not, it rejects requests. */
  isUserVerified?: boolean;
}

/** Adds an authenticator to a page. */
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
