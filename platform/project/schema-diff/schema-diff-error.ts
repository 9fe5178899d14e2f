/** Two schemas cannot be compared, or their difference cannot be written as statements. The message names the object. */
export class SchemaDiffError extends Error {
  override readonly name = 'SchemaDiffError';
}
