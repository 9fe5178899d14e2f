/** Whether the admin area may change schemas, policies and settings. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isPublicUrl } from '@greenroom/config';

/** Options of {@link findSchemaRefusal}. */
interface SchemaChangesOptions {
  setting: 'auto' | 'on' | 'off';
  /** URL under which browsers open the app. */
  appUrl: string;
  /** Absolute path of `supabase/`; undefined without a project. */
  supabaseFolder: string | undefined;
}

/** The reason why schemas cannot be changed. */
export type Refusal = 'setting' | 'public_url' | 'read_only_folder';

/** Returns the reason why schemas cannot be changed; undefined if they can. */
export async function findSchemaRefusal(options: SchemaChangesOptions): Promise<Refusal | undefined> {
  const { setting, appUrl, supabaseFolder } = options;
  if (setting === 'off') return 'setting';
  if (setting === 'auto' && isPublicUrl(appUrl)) return 'public_url';
  if (supabaseFolder === undefined) return undefined;
  // A change has a migration file.
  return access(supabaseFolder, constants.W_OK).then(
    () => undefined,
    () => 'read_only_folder' as const,
  );
}
