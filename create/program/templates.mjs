/** The templates. */

/**
 * A line about each template, by the name of its folder in `templates/`.
 * @type {Readonly<Record<string, string>>}
 */
export const TEMPLATES = {
  'backend-only': 'The backend alone, for a front end elsewhere, e.g. Next.js or Vite',
};

/** The template that a question offers first. */
export const DEFAULT_TEMPLATE = 'backend-only';
