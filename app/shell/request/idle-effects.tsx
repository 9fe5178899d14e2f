/** Background work that a page does not need to become usable. Renders nothing visible. */
import { LinkPrefetch } from '../payload/link-prefetch.tsx';
import { useBuildUpdates } from '../updates/update-notice.ts';
// Loaded ahead for the next page: its payload, and icons that this page does not contain.
import '../../lib/payload/fetch-payload.ts';
import '../../ui/icons/page-icons.ts';

/** Place it once, in the document. */
export default function IdleEffects() {
  useBuildUpdates();
  return <LinkPrefetch />;
}
