/** The rules for reports about the database: `[[experimental.inspect.rules]]`. */
import type { ConfigProblem, ConfigValue } from '@greenroom/config';
import { type ConfigDocument, isTable, shownValue, valueAt } from './document.ts';

/** A rule. */
interface InspectRule {
  name: string;
  /** SQL on the files of the reports. */
  query: string;
  /** Status if the rule holds, and if it is broken. */
  pass: string;
  fail: string;
}

const PATH = ['experimental', 'inspect', 'rules'];
const TEXTS = ['query', 'name', 'pass', 'fail'] as const;
const ALLOWED = 'a list of tables with the texts query, name, pass and fail; query is required';

/** Reads the rules. A value that is not allowed is a problem, and no rule is returned. */
export function readInspectRules(document: ConfigDocument): {
  rules: readonly InspectRule[];
  problems: readonly ConfigProblem[];
} {
  const value = valueAt(document.values, PATH);
  if (value === undefined) return { rules: [], problems: [] };
  const rules = Array.isArray(value) ? (value as readonly ConfigValue[]).map(ruleOf) : [undefined];
  const complete = rules.filter((rule) => rule !== undefined);
  if (complete.length === rules.length) return { rules: complete, problems: [] };
  const wrong = Array.isArray(value) ? (value as readonly ConfigValue[])[rules.indexOf(undefined)] : value;
  const problem = {
    name: PATH.join('.'),
    value: shownValue(wrong ?? value),
    allowed: ALLOWED,
    origin: document.placeOf(PATH),
  };
  return { rules: [], problems: [problem] };
}

/** Undefined: the value is no rule. */
function ruleOf(value: ConfigValue): InspectRule | undefined {
  if (!isTable(value)) return undefined;
  const isKnown = Object.entries(value).every(
    ([key, text]) => TEXTS.some((known) => known === key) && typeof text === 'string',
  );
  const { query = '', name = query, pass = '✔', fail = '✘' } = value as Record<string, string>;
  return isKnown && query.trim() !== '' ? { name, query, pass, fail } : undefined;
}
