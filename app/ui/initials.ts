/** Initials of a user. */

/**
 * Returns up to two letters for a name, an email address or a phone number; `?` if there are none.
 * @example initialsOf('ada.lovelace@example.com') // 'AL'
 */
export function initialsOf(name: string): string {
  const [local = ''] = name.trim().split('@');
  if (/^\+?\d+$/.test(local)) return local.slice(-2);
  const [first, ...rest] = local.split(/[\s._+-]+/).filter(Boolean);
  // A number after a name distinguishes accounts; it is no part of the name.
  const second = rest.find((word) => !/^\d/.test(word));
  const letters = [first, second].map((word = '') => [...word][0] ?? '');
  return letters.join('').toUpperCase() || '?';
}
