/** Derives all relationships from foreign keys, from the views that show them, and from functions. It is pure. */
import type { ForeignKey, KeyColumn } from './keys.ts';
import {
  type ColumnPair,
  type ComputedRelationship,
  type JunctionRelationship,
  type KeyRelationship,
  keyOf,
  type QualifiedName,
  type Relation,
  type Relationship,
} from './schema-cache.ts';
import type { TracedView } from './view-columns.ts';

/** The input of {@link deriveRelationships}. */
interface RelationshipSources {
  /** Exposed relations. Other relations cannot be an end or a junction of a relationship. */
  relations: ReadonlyMap<string, Pick<Relation, 'primaryKey'>>;
  foreignKeys: readonly ForeignKey[];
  views: readonly TracedView[];
  computed: readonly ComputedRelationship[];
}

/** Returns relationships by the key of their origin, in a stable order. */
export function deriveRelationships(sources: RelationshipSources): Map<string, readonly Relationship[]> {
  const isExposed = (name: QualifiedName) => sources.relations.has(keyOf(name));
  // Keys with a hidden end produce no relationships, so filtering them early only saves work.
  const references = sources.foreignKeys
    .flatMap((key) => shownReferences(key, sources.views))
    .filter(({ from, to }) => isExposed(from) && isExposed(to));
  const computed = sources.computed.filter(({ from, to }) => isExposed(from) && isExposed(to));
  const replaced = new Set(computed.map((relationship) => pairOf(relationship.from, relationship.function)));
  const detected = [
    ...references,
    ...references.map(inverseOf),
    ...deriveJunctions(references, sources.relations),
  ].filter(({ from, to }) => !replaced.has(pairOf(from, to)));
  const sorted = [...detected.sort(compareDetected), ...computed];
  return Map.groupBy<string, Relationship>(sorted, ({ from }) => keyOf(from));
}

function pairOf(from: QualifiedName, to: QualifiedName): string {
  return keyOf(from) + keyOf(to);
}

/** One side of a foreign key: the table, or a view that shows its columns. */
interface KeySide {
  relation: QualifiedName;
  columns: readonly string[];
  isView: boolean;
}

/** Returns the reference of the key itself and its copies from, to and between views. */
function shownReferences(key: ForeignKey, views: readonly TracedView[]): KeyRelationship[] {
  const origins = sidesOf(key.from, key.fromColumns, views);
  const targets = sidesOf(key.to, key.toColumns, views);
  return origins.flatMap((from) => targets.map((to) => referenceOf(key, from, to)));
}

/** Returns the table, followed by each combination of view columns that shows all columns of the key. */
function sidesOf(
  table: QualifiedName,
  columns: readonly KeyColumn[],
  views: readonly TracedView[],
): KeySide[] {
  const names = columns.map(({ name }) => name);
  const copies = views.flatMap((view) => {
    const choices = columns.map((column) => view.columnsOf(column));
    const relation = { schema: view.schema, name: view.name };
    return combinations(choices).map((chosen) => ({ relation, columns: chosen, isView: true }));
  });
  return [{ relation: table, columns: names, isView: false }, ...copies];
}

/** Returns the Cartesian product of the lists. It is empty if one of the lists is empty. */
function combinations(choices: readonly (readonly string[])[]): string[][] {
  return choices.reduce<string[][]>(
    (chosen, names) => chosen.flatMap((before) => names.map((name) => [...before, name])),
    [[]],
  );
}

function referenceOf(key: ForeignKey, from: KeySide, to: KeySide): KeyRelationship {
  return {
    kind: 'key',
    from: from.relation,
    to: to.relation,
    isSelf: keyOf(from.relation) === keyOf(to.relation),
    cardinality: key.isUnique ? 'one-to-one' : 'many-to-one',
    constraint: key.constraint,
    columns: from.columns.map((column, index) => [column, to.columns[index] ?? '']),
    isParent: false,
    isFromView: from.isView,
    isToView: to.isView,
  };
}

function inverseOf(reference: KeyRelationship): KeyRelationship {
  const isOne = reference.cardinality === 'one-to-one';
  return {
    ...reference,
    from: reference.to,
    to: reference.from,
    cardinality: isOne ? 'one-to-one' : 'one-to-many',
    columns: reference.columns.map(swap),
    isParent: isOne,
    isFromView: reference.isToView,
    isToView: reference.isFromView,
  };
}

function swap([from, to]: ColumnPair): ColumnPair {
  return [to, from];
}

/** A relation is a junction of two others if the columns of both foreign keys are part of its primary key. */
function deriveJunctions(
  references: readonly KeyRelationship[],
  relations: ReadonlyMap<string, Pick<Relation, 'primaryKey'>>,
): JunctionRelationship[] {
  const byOrigin = Map.groupBy(
    references.filter(({ cardinality }) => cardinality === 'many-to-one'),
    ({ from }) => keyOf(from),
  );
  return [...byOrigin].flatMap(([key, ofJunction]) => {
    const primaryKey = new Set(relations.get(key)?.primaryKey);
    const within = ofJunction.filter(({ columns }) => columns.every(([column]) => primaryKey.has(column)));
    return within.flatMap((one) =>
      within.filter((other) => other.constraint !== one.constraint).map((other) => junctionOf(one, other)),
    );
  });
}

function junctionOf(one: KeyRelationship, other: KeyRelationship): JunctionRelationship {
  return {
    kind: 'junction',
    cardinality: 'many-to-many',
    from: one.to,
    to: other.to,
    isSelf: keyOf(one.to) === keyOf(other.to),
    junction: one.from,
    fromConstraint: one.constraint,
    toConstraint: other.constraint,
    fromColumns: one.columns.map(swap),
    toColumns: other.columns,
  };
}

const CARDINALITY_ORDER = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many'];

type Detected = KeyRelationship | JunctionRelationship;

/** Makes the order of relationships in errors independent of the order in the catalogs. */
function compareDetected(a: Detected, b: Detected): number {
  const [keysA, keysB] = [sortKeysOf(a), sortKeysOf(b)];
  const at = keysA.findIndex((key, index) => key !== keysB[index]);
  return at < 0 ? 0 : (keysA[at] ?? '') < (keysB[at] ?? '') ? -1 : 1;
}

function sortKeysOf(relationship: Detected): string[] {
  const { from, to, cardinality } = relationship;
  const rest =
    relationship.kind === 'key'
      ? [relationship.constraint, JSON.stringify(relationship.columns), String(relationship.isParent)]
      : [
          keyOf(relationship.junction),
          relationship.fromConstraint,
          relationship.toConstraint,
          JSON.stringify([relationship.fromColumns, relationship.toColumns]),
        ];
  return [keyOf(from), keyOf(to), String(CARDINALITY_ORDER.indexOf(cardinality)), ...rest];
}
