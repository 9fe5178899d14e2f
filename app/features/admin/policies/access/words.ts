/** The access of a role in sentences. */
import { type Access, accessOf } from './access.ts';
import { conditionOf } from './conditions.ts';
import { type RoleInfo, type TableInfo, VERBS, type Verb } from './model.ts';

/** A part of a sentence: text, or SQL. */
export type Part = string | { code: string };

/** Templates of sentences: `{role}`, `{rows}` and `{check}` are replaced by SQL. */
interface WordTexts {
  everything: Readonly<Record<(Access & { kind: 'all' })['reason'], string>>;
  nothing: Readonly<Record<(Access & { kind: 'refused' })['reason'], string>>;
  all: Readonly<Record<Verb, string>>;
  because: Readonly<Record<(Access & { kind: 'all' })['reason'], string>>;
  byPolicy: Readonly<Record<Verb, string>>;
  byOpenPolicy: Readonly<Record<Verb, string>>;
  updateWithCheck: string;
  invoker: Readonly<Record<Verb, string>>;
  refused: Readonly<Record<Verb, string>>;
  refusedBecause: Readonly<Record<(Access & { kind: 'refused' })['reason'], string>>;
  someColumns: string;
}

/** Returns the sentences about the access of a role to a table. @param role index of the role in `roles` */
export function wordsOf(
  table: TableInfo,
  roles: readonly RoleInfo[],
  role: number,
  texts: WordTexts,
): Part[][] {
  const accesses = VERBS.map((verb) => ({ verb, access: accessOf(table, roles, role, verb) }));
  const name = roles[role]?.name ?? '';
  const common = commonTemplate(
    accesses.map(({ access }) => access),
    texts,
  );
  if (common !== undefined) return [filled(common, { role: name })];
  return accesses.map(({ verb, access }) => sentenceOf(name, verb, access, texts));
}

/** Returns the sentence for all verbs, if the access of all of them is the same and needs no SQL. */
function commonTemplate(accesses: readonly Access[], texts: WordTexts): string | undefined {
  const [first] = accesses;
  if (first === undefined || !accesses.every((access) => keyOf(access) === keyOf(first))) return undefined;
  if (first.kind === 'refused') return texts.nothing[first.reason];
  return first.kind === 'all' && !first.isPartial ? texts.everything[first.reason] : undefined;
}

function keyOf(access: Access): string {
  return `${access.kind} ${'reason' in access ? access.reason : ''} ${'isPartial' in access && access.isPartial}`;
}

function sentenceOf(role: string, verb: Verb, access: Access, texts: WordTexts): Part[] {
  if (access.kind === 'refused')
    return filled(`${texts.refused[verb]}, ${texts.refusedBecause[access.reason]}`, { role });
  const more = access.isPartial ? ` ${texts.someColumns}` : '';
  if (access.kind === 'all')
    return filled(`${texts.all[verb]}${more}, ${texts.because[access.reason]}`, { role });
  if (access.kind === 'invoker') return filled(texts.invoker[verb] + more, { role });
  const { permissive, restrictive } = access;
  const rows = conditionOf('using', permissive, restrictive);
  const check = conditionOf('check', permissive, restrictive);
  const condition = verb === 'insert' ? check : rows;
  const needsCheck = verb === 'update' && check !== rows;
  if (needsCheck) return filled(texts.updateWithCheck + more, { role, rows, check });
  const templates = condition === 'true' ? texts.byOpenPolicy : texts.byPolicy;
  return filled(templates[verb] + more, { role, rows: condition });
}

/** Replaces the placeholders of a template by SQL. */
function filled(template: string, values: Readonly<Record<string, string>>): Part[] {
  return template
    .split(/(\{\w+\})/)
    .filter((text) => text !== '')
    .map((text) => {
      const value = /^\{(\w+)\}$/.exec(text)?.[1];
      return value === undefined ? text : { code: values[value] ?? '' };
    });
}
