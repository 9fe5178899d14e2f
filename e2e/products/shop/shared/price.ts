/** Code outside of `app/`, as products share it with functions. */

/** Returns a price in euros. @param cents a whole number */
export function formatPrice(cents: number): string {
  return new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(cents / 100);
}
