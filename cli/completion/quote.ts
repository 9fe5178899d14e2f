/** Returns a text in single quotes, for bash and zsh. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a text in single quotes, for fish, which knows the escapes `\'` and `\\` inside of them. */
export function quoteForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** Returns a text in single quotes, for PowerShell. */
export function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
