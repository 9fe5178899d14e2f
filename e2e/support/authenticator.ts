/** A device that holds keys, and answers at once: Chromium has a virtual one (Chrome DevTools Protocol, WebAuthn). */
import type { Page } from '@playwright/test';

/** Adds one to a page. One that is not `isUserVerified` refuses. */
export async function addAuthenticator(page: Page, { isUserVerified = true } = {}): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('WebAuthn.enable');
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
}
