/** Names of new factors, which must be unique within an account. */

/** Returns the name itself, or with the smallest free number. */
export function freeName(name: string, factors: readonly { name: string }[]): string {
  const taken = new Set(factors.map((factor) => factor.name));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
