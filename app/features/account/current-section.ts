/** Chooses the section to mark in the navigation. Pure. */

/** A section with this visible fraction counts as fully visible; not 1, because browsers round. */
export const FULLY_VISIBLE = 0.99;

/**
 * Returns the id of the current section; undefined if none is visible.
 * @param ids all sections in the order of the page
 * @param visible the visible fraction of each section on the page
 * @param chosen the section to which the user has jumped. It is current while it is the first visible one or
 * fully visible, because the last sections may be too short to reach the top of the screen.
 */
export function currentSection(
  ids: readonly string[],
  visible: ReadonlyMap<string, number>,
  chosen?: string,
): string | undefined {
  const present = ids.filter((id) => visible.has(id));
  const isVisible = (id: string) => (visible.get(id) ?? 0) > 0;
  const isFullyVisible = (id: string) => (visible.get(id) ?? 0) >= FULLY_VISIBLE;
  const firstVisible = present.find(isVisible);
  if (chosen !== undefined && (chosen === firstVisible || isFullyVisible(chosen))) return chosen;
  const last = present.at(-1);
  const isAtEnd = last !== undefined && isFullyVisible(last) && firstVisible !== present[0];
  return isAtEnd ? last : firstVisible;
}
