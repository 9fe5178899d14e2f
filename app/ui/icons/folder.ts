/** Folder of the collections of icons below the app's base. */
export const ICONS_FOLDER = 'api/_icons/';
