/** Names of new factors: no two of an account may have the same. */

/** The name itself, or with the first number that is free. */
export function freeName(name: string, factors: readonly { name: string }[]): string {
  const taken = new Set(factors.map((factor) => factor.name));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
