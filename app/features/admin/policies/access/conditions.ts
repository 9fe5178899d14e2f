/** Conditions of policies as one expression, for people. */
import { type Clause, expressionOf } from './access.ts';
import type { PolicyDefinition } from './model.ts';

/** Returns the condition of a clause: one of the permissive policies, and each restrictive one. `true` means no condition. */
export function conditionOf(
  clause: Clause,
  permissive: readonly PolicyDefinition[],
  restrictive: readonly PolicyDefinition[],
): string {
  const expressions = (policies: readonly PolicyDefinition[]) =>
    policies.flatMap((policy) => expressionOf(policy, clause) ?? []);
  return joined(expressions(permissive), expressions(restrictive));
}

function joined(any: readonly string[], all: readonly string[]): string {
  const alternatives = unique(any.map(withoutParentheses));
  const either = alternatives.includes('true') ? [] : [alternatives];
  const each = unique(all.map(withoutParentheses)).filter((text) => text !== 'true');
  const groups = [...either, ...each.map((text) => [text])];
  if (groups.length === 0) return 'true';
  if (groups.length === 1)
    return (groups[0] ?? []).map((text) => wrapped(text, groups[0]?.length)).join(' or ');
  return groups
    .map((group) =>
      group.length === 1 ? `(${group[0]})` : `(${group.map((text) => `(${text})`).join(' or ')})`,
    )
    .join(' and ');
}

function wrapped(text: string, count = 1): string {
  return count > 1 ? `(${text})` : text;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Removes a pair of parentheses around the whole expression. PostgreSQL writes one around most expressions. */
export function withoutParentheses(expression: string): string {
  const text = expression.trim();
  return isEnclosed(text) ? withoutParentheses(text.slice(1, -1)) : text;
}

/** Quoted texts may contain parentheses. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]/g;

function isEnclosed(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')')) return false;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0 && token === ')') return index === text.length - 1;
  }
  return false;
}
