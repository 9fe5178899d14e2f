/** The guard of the layout is stricter, and counts. */
export const guard = 'public';

export default function Shifts() {
  return <h1>Schichten</h1>;
}
