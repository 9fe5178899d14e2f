/** Response headers that depend only on the request, not on the outcome. */
import type { Header } from '../headers.ts';
import type { Negotiated } from '../request/accept.ts';
import { contentTypeOf } from '../request/media-type.ts';
import type { Action } from '../request/method.ts';
import { type Preferences, preferenceApplied } from '../request/preferences.ts';
import { type Profile, profileHeaders } from '../request/profile.ts';

/** Returns the headers for the media type and the schema of a body. */
export function contentHeaders(profile: Profile, { mediaType }: Pick<Negotiated, 'mediaType'>): Header[] {
  return [['content-type', contentTypeOf(mediaType)], ...profileHeaders(profile)];
}

/** Returns the header Preference-Applied, or an empty list if no preference applies. */
export function appliedHeaders(
  preferences: Preferences,
  action: Pick<Action, 'kind'>,
  hasArbiter = false,
): Header[] {
  const applied = preferenceApplied(preferences, action, { hasArbiter });
  return applied === undefined ? [] : [['preference-applied', applied]];
}
