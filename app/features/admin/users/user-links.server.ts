/** Links with which a user signs in: those that an administrator copies, and those in mails. */
import { fragmentCallback } from '../../../session/link-callback.ts';
import { siteContext } from '../../../shell/request/contexts.server.ts';
import { pageUrl, type VisitorArgs } from '../../../shell/request/visitor.server.ts';

/** Purpose of a link. */
export type LinkKind = 'recovery' | 'magiclink' | 'invite';

/** Returns a link to copy. The page of this site signs the user in, also without scripts. */
export function copiedLink(tokenHash: string, type: LinkKind, args: VisitorArgs): string {
  return pageUrl(`${callbackOf(args)}?${new URLSearchParams({ token_hash: tokenHash, type })}`, args);
}

/**
 * Returns the page to which the auth service redirects the recipient of a mail. The link was requested without PKCE, whose verifier
 * the recipient's browser would not have.
 */
export function mailedLinkTarget(args: VisitorArgs): string {
  return pageUrl(fragmentCallback(callbackOf(args)), args);
}

function callbackOf({ context }: VisitorArgs): string {
  return context.get(siteContext).options.guard.callback;
}
