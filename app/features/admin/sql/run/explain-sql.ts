/** The statement that explains another one. */

/** Returns `explain` of one statement; its only row is the plan as JSON. */
export function explainSql(sql: string, mode: 'explain' | 'analyze'): string {
  const options = mode === 'analyze' ? 'analyze, buffers, ' : '';
  return `${explainPrefix(options)}${sql}`;
}

/** Returns the number of characters in front of the explained statement, to convert places of errors. */
export function explainOffset(mode: 'explain' | 'analyze'): number {
  return explainSql('', mode).length;
}

function explainPrefix(options: string): string {
  return `explain (${options}verbose, format json) `;
}
