/** Names of icons: short names of the app, and full names `collection:icon`. */

/** The app's names, so that an icon can be replaced in one place. */
export const ICONS = {
  alert: 'lucide:triangle-alert',
  check: 'lucide:check',
  chevron: 'lucide:chevron-down',
  close: 'lucide:x',
  copy: 'lucide:copy',
  eye: 'lucide:eye',
  eyeOff: 'lucide:eye-off',
  home: 'lucide:house',
  info: 'lucide:info',
  keyboard: 'lucide:keyboard',
  language: 'lucide:languages',
  mail: 'lucide:mail',
  monitor: 'lucide:monitor',
  moon: 'lucide:moon',
  palette: 'lucide:palette',
  passkey: 'lucide:key-round',
  search: 'lucide:search',
  shield: 'lucide:shield',
  signIn: 'lucide:log-in',
  signOut: 'lucide:log-out',
  sun: 'lucide:sun',
  user: 'lucide:user',
  users: 'lucide:users',
} as const;

/** Known collections, the longest name first. */
export const COLLECTIONS = ['greenroom', 'lucide'] as const;

/** A name of the app, or a full name. */
export type IconName = keyof typeof ICONS | `${(typeof COLLECTIONS)[number]}:${string}`;

/** A name of a collection or of an icon in it. */
const SIMPLE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Returns whether a text can be the name of a collection, or of an icon in it. */
export function isSimpleName(name: string): boolean {
  return SIMPLE_NAME.test(name);
}

/**
 * Returns the full name. The app's names take precedence; then `collection:icon`, and `collection-icon`
 * with or without the prefix `i-`. A name without a known collection is returned unchanged: no such icon
 * exists.
 */
export function resolveIcon(name: string): string {
  if (Object.hasOwn(ICONS, name)) return ICONS[name as keyof typeof ICONS];
  if (name.includes(':')) return name;
  const localName = name.startsWith('i-') ? name.slice(2) : name;
  const prefix = COLLECTIONS.find((collection) => localName.startsWith(`${collection}-`));
  return prefix === undefined ? name : `${prefix}:${localName.slice(prefix.length + 1)}`;
}

/** Returns the id of an icon's symbol in the document. */
export function symbolId(fullName: string): string {
  return `i-${fullName.replace(':', '-')}`;
}
