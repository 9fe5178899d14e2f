import { identifier } from '../json.ts';
import type { Profile } from '../profile.ts';

/** Makes the profile of a user with this id; undefined if the provider returned no id. */
export function withId(id: unknown, create: (subject: string) => Profile): Profile | undefined {
  const subject = identifier(id);
  return subject === undefined ? undefined : create(subject);
}
