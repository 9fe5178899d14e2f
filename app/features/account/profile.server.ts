/** Changes the user's display name. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { cleanName, MAX_NAME_CHARACTERS } from '../../session/person-name.ts';
import { languageContext } from '../../shell/request/contexts.server.ts';
import { renewSession, type VisitorArgs } from '../../shell/request/visitor.server.ts';
import { profileTexts } from '../../texts/account-profile.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** Long enough to detect a name that is too long, and to show it again. */
const MAX_READ = 1_000;

/** An empty name removes the name. */
export async function changeName(args: VisitorArgs, form: FormData, client: SupabaseClient) {
  const texts = profileTexts[args.context.get(languageContext)];
  const typed = fieldOf(form, 'fullName', MAX_READ);
  const name = cleanName(typed);
  if ([...name].length > MAX_NAME_CHARACTERS) {
    return outcome({ card: 'profile', problem: texts.tooLong(MAX_NAME_CHARACTERS), typed }, 422);
  }
  const { error } = await client.auth.updateUser({ data: { full_name: name || null } });
  if (error) return refuse(args, 'profile', error, typed);
  await renewSession(args, client);
  return outcome({ card: 'profile', success: name ? texts.saved : texts.removed }, 200);
}
