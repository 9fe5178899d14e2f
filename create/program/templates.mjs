/** The templates. */

/**
 * A line about each template, by the name of its folder in `templates/`.
 * @type {Readonly<Record<string, string>>}
 */
export const TEMPLATES = {
  minimal: 'Pages and the backend: a todo list for each user',
  saas: 'Pages and the backend for teams: roles, invitations by mail, projects, plans',
  'backend-only': 'The backend alone, for a front end elsewhere, e.g. Next.js or Vite',
};

/** The template that a question offers first. */
export const DEFAULT_TEMPLATE = 'minimal';
