/** Letters that stand for a person. */

/**
 * Up to two letters for a name, an email address or a phone number; `?` where there is nothing to take.
 * @example initialsOf('ada.lovelace@example.com') // 'AL'
 */
export function initialsOf(name: string): string {
  const [local = ''] = name.trim().split('@');
  if (/^\+?\d+$/.test(local)) return local.slice(-2);
  const [first, ...rest] = local.split(/[\s._+-]+/).filter(Boolean);
  // A number behind a name tells namesakes apart; it is no part of the name.
  const second = rest.find((word) => !/^\d/.test(word));
  const letters = [first, second].map((word = '') => [...word][0] ?? '');
  return letters.join('').toUpperCase() || '?';
}
