import { formatPrice } from '../../shared/price.ts';

const HOUR_CENTS = 1500;

/** The guard of the layout is stricter, and counts. */
export const guard = 'public';

export default function Shifts() {
  return <h1>Schichten: {formatPrice(HOUR_CENTS)}</h1>;
}
