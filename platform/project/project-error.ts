/** The project cannot be applied to the database, for a reason that the user can mend. The message says how. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
}
