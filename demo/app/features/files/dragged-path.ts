/** The data type of drag and drop between folders. */

/** Data type of the path of a dragged entry. */
export const DRAGGED_PATH = 'application/x-greenroom-path';
