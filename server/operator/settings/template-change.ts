/** Translates the text of a mail or an SMS to keys of config.toml and a file in `supabase/templates/`. */
import { isAbsolute, join, relative } from 'node:path';
import { configKeysOf } from '@greenroom/config';
import type { Project } from '@greenroom/project';
import { z } from 'zod';
import { allSettings } from '../../settings.ts';
import { failure } from '../errors.ts';
import { type FileChange, type KeyChange, settingNamed } from './change-settings.ts';

/** The new text of a template. Null restores the built-in text; a missing field changes nothing. */
export const templateText = z.strictObject({
  config_hash: z.string(),
  subject: z.string().max(1000).nullish(),
  body: z.string().max(1_000_000).nullish(),
  is_enabled: z.boolean().optional(),
});

type TemplateText = z.output<typeof templateText>;

const TEXTS: Readonly<Record<string, string>> = {
  sms: 'GOTRUE_SMS_TEMPLATE',
  mfa_sms: 'GOTRUE_MFA_PHONE_TEMPLATE',
};
const NOTIFICATION = /_notification$/;

/** Names of the settings of a template. */
interface TemplateSettings {
  subject?: string;
  /** Path of a mail's template, or the text of an SMS. */
  body: string;
  isEnabled?: string;
}

/** Returns the settings of a kind of message. Throws `template_not_found`. */
export function templateSettingsOf(kind: string): TemplateSettings {
  const text = Object.hasOwn(TEXTS, kind) ? TEXTS[kind] : undefined;
  if (text !== undefined) return { body: text };
  const name = kind.toUpperCase();
  const subject = `GOTRUE_MAILER_SUBJECTS_${name}`;
  if (!/^[a-z_]+$/.test(kind) || !allSettings.some((setting) => setting.name === subject))
    throw failure('template_not_found');
  return {
    subject,
    body: `GOTRUE_MAILER_TEMPLATES_${name}`,
    ...(NOTIFICATION.test(kind) && {
      isEnabled: `GOTRUE_MAILER_NOTIFICATIONS_${name.replace(/_NOTIFICATION$/, '')}_ENABLED`,
    }),
  };
}

/** @param location path of the current template; undefined: the built-in mail */
export function changeOfTemplate(
  kind: string,
  text: TemplateText,
  project: Project,
  location: string | undefined,
): { keys: KeyChange[]; files: FileChange[] } {
  const names = templateSettingsOf(kind);
  const keys: KeyChange[] = [];
  const files: FileChange[] = [];
  const put = (name: string | undefined, value: KeyChange['value']) => {
    if (name !== undefined) keys.push({ key: keyOf(name), value });
  };
  if (text.subject !== undefined) put(names.subject, text.subject ?? undefined);
  if (text.is_enabled !== undefined) put(names.isEnabled, text.is_enabled);
  if (Object.hasOwn(TEXTS, kind)) {
    if (text.body !== undefined) put(names.body, text.body ?? undefined);
  } else if (text.body === null) {
    // The file stays, because it may be under version control, or shared.
    put(names.body, undefined);
  } else if (text.body !== undefined) {
    const path = fileOf(kind, project, location);
    files.push({ path, text: text.body });
    const base = NOTIFICATION.test(kind) ? project.supabaseFolder : project.folder;
    put(names.body, `./${relative(base, path).replaceAll('\\', '/')}`);
  }
  return { keys, files };
}

function keyOf(name: string): string {
  return configKeysOf(settingNamed(name))[0]?.key ?? '';
}

/** Returns the current file if it is a part of the project, otherwise a new one. */
function fileOf(kind: string, { folder, supabaseFolder }: Project, location: string | undefined): string {
  if (location !== undefined && isAbsolute(location) && location.endsWith('.html')) {
    const path = relative(folder, location);
    if (!path.startsWith('..') && !isAbsolute(path)) return location;
  }
  return join(supabaseFolder, 'templates', `${kind}.html`);
}
