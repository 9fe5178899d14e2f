/** A product cannot be used as it is. The message is for its author. */
export class ProductError extends Error {
  override readonly name = 'ProductError';
}
