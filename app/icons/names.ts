/** What icons are called: short names of our own, and full names `collection:icon`. */

/** Our names. What they stand for can change in one place. */
export const ICONS = {
  activity: 'lucide:activity',
  alert: 'lucide:triangle-alert',
  arrowLeft: 'lucide:arrow-left',
  arrowRight: 'lucide:arrow-right',
  check: 'lucide:check',
  chevron: 'lucide:chevron-down',
  chevronLeft: 'lucide:chevron-left',
  chevronRight: 'lucide:chevron-right',
  close: 'lucide:x',
  command: 'lucide:command',
  copy: 'lucide:copy',
  database: 'lucide:database',
  download: 'lucide:download',
  eye: 'lucide:eye',
  eyeOff: 'lucide:eye-off',
  file: 'lucide:file',
  fingerprint: 'lucide:fingerprint-pattern',
  folder: 'lucide:folder',
  google: 'greenroom:google',
  help: 'lucide:circle-question-mark',
  home: 'lucide:house',
  info: 'lucide:info',
  key: 'lucide:key-round',
  keyboard: 'lucide:keyboard',
  language: 'lucide:languages',
  link: 'lucide:link',
  lock: 'lucide:lock',
  mail: 'lucide:mail',
  menu: 'lucide:menu',
  monitor: 'lucide:monitor',
  moon: 'lucide:moon',
  more: 'lucide:ellipsis',
  palette: 'lucide:palette',
  pencil: 'lucide:pencil',
  plus: 'lucide:plus',
  refresh: 'lucide:refresh-cw',
  search: 'lucide:search',
  settings: 'lucide:settings',
  shield: 'lucide:shield',
  signIn: 'lucide:log-in',
  signOut: 'lucide:log-out',
  smartphone: 'lucide:smartphone',
  sun: 'lucide:sun',
  table: 'lucide:table',
  terminal: 'lucide:terminal',
  trash: 'lucide:trash-2',
  upload: 'lucide:upload',
  user: 'lucide:user',
  users: 'lucide:users',
} as const;

/** Collections that there are, the longest name first. */
export const COLLECTIONS = ['greenroom', 'lucide'] as const;

/** One of our names, or a full one. */
export type IconName = keyof typeof ICONS | `${(typeof COLLECTIONS)[number]}:${string}`;

/** A name of a collection or of an icon in it. */
const SIMPLE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Tells whether a text can be the name of a collection, or of an icon in it. */
export function isSimpleName(name: string): boolean {
  return SIMPLE_NAME.test(name);
}

/**
 * The full name. Ours come first; then `collection:icon`, and `collection-icon` with or without `i-` before it. A name
 * of no known collection is given back as it is: there is no such icon.
 */
export function resolveIcon(name: string): string {
  if (Object.hasOwn(ICONS, name)) return ICONS[name as keyof typeof ICONS];
  if (name.includes(':')) return name;
  const bare = name.startsWith('i-') ? name.slice(2) : name;
  const prefix = COLLECTIONS.find((collection) => bare.startsWith(`${collection}-`));
  return prefix === undefined ? name : `${prefix}:${bare.slice(prefix.length + 1)}`;
}

/** Id of an icon's symbol in the document. */
export function symbolId(fullName: string): string {
  return `i-${fullName.replace(':', '-')}`;
}
