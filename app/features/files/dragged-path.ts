/** What is dragged between folders. */

/** Marks what is dragged within the list. */
export const DRAGGED_PATH = 'application/x-greenroom-path';
