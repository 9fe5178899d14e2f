/**
 * Reads a shape back into the query that it stands for, without its values. That this can be done is the proof that no
 * two queries share a shape which differ in more than values.
 */
import { operatorNames } from './operator-names.ts';

const oneOf = (syntax: Parameters<typeof operatorNames>[0]) => operatorNames(syntax).join('|');
const SIMPLE = new RegExp(`^(${oneOf('simple')})$`);
const SEARCH = new RegExp(`^(${oneOf('search')})(\\(\\))?$`);
const QUANTIFIABLE = new RegExp(`^(${oneOf('quantifiable')})(?:\\((any|all)\\))?$`);

/** Parses a shape from {@link ../shape.ts} to plain JSON without values and without undefined members. */
export function readShape(shape: string): unknown {
  return JSON.parse(JSON.stringify(new ShapeReader(shape).query()));
}

class ShapeReader {
  readonly #shape: string;
  #position = 0;

  constructor(shape: string) {
    this.#shape = shape;
  }

  query(): unknown {
    const query = {
      hasSelect: this.#character() === 's',
      select: this.#list(() => this.#item()),
      columns: this.#optional(() => this.#list(() => this.#name())),
      onConflict: this.#optional(() => this.#list(() => this.#name())),
      filters: this.#at(() => this.#filter()),
      logic: this.#at(() => this.#logic()),
      order: this.#at(() => this.#list(() => this.#term())),
      limits: this.#at(() => 0),
      offsets: this.#at(() => 0),
      parameters: this.#list(() => this.#name()),
    };
    if (this.#position !== this.#shape.length) throw new Error('the shape is longer than its query');
    return query;
  }

  #character(): string {
    this.#position += 1;
    return this.#shape.charAt(this.#position - 1);
  }

  #until(mark: string): string {
    const end = this.#shape.indexOf(mark, this.#position);
    const text = this.#shape.slice(this.#position, end);
    this.#position = end + 1;
    return text;
  }

  #name(): string {
    const start = Number(this.#until(':')) + this.#position;
    const name = this.#shape.slice(this.#position, start);
    this.#position = start;
    return name;
  }

  #optional<T>(read: () => T): T | undefined {
    if (this.#shape.charAt(this.#position) !== '-') return read();
    this.#position += 1;
    return undefined;
  }

  #optionalName(): string | undefined {
    return this.#optional(() => this.#name());
  }

  #list<T>(read: () => T): T[] {
    return Array.from({ length: Number(this.#until(';')) }, read);
  }

  #at(read: () => unknown): unknown {
    return this.#list(() => ({ path: this.#list(() => this.#name()), value: read() }));
  }

  #item(): unknown {
    const mark = this.#character();
    switch (mark) {
      case '*':
        return { kind: 'all' };
      case 'c':
        return { kind: 'count', alias: this.#optionalName(), cast: this.#optionalName() };
      case 'f':
        return this.#selectField();
      case 'e':
      case '.':
        return this.#embed(mark === '.');
      default:
        throw new Error(`no item: ${mark}`);
    }
  }

  #selectField(): unknown {
    const alias = this.#optionalName();
    const output = alias === undefined ? this.#optionalName() : undefined;
    const field = this.#field();
    const cast = this.#optionalName();
    const aggregate = this.#optional(() => ({ name: this.#until(';'), cast: this.#optionalName() }));
    return { kind: 'field', alias, output, field, cast, aggregate };
  }

  #embed(isSpread: boolean): unknown {
    const join = { '-': undefined, i: 'inner', l: 'left' }[this.#character()];
    const target = this.#name();
    const alias = this.#optionalName();
    const hint = this.#optionalName();
    return { kind: 'embed', target, alias, hint, join, isSpread, select: this.#list(() => this.#item()) };
  }

  #field(): unknown {
    const name = this.#name();
    const count = Number(this.#until(';'));
    const path = Array.from({ length: count }, () => {
      const mark = this.#character();
      const arrow = mark === mark.toUpperCase() ? '->>' : '->';
      return { arrow, operand: { kind: mark.toLowerCase() === 'k' ? 'key' : 'index' } };
    });
    return { name, path };
  }

  #filter(): unknown {
    const field = this.#field();
    const isNegated = this.#character() === '!';
    return { field, isNegated, operation: operationOf(this.#until(';')) };
  }

  #logic(): unknown {
    if (this.#shape.charAt(this.#position) === 'f') {
      this.#position += 1;
      return { kind: 'filter', filter: this.#filter() };
    }
    const kind = this.#shape.startsWith('and', this.#position) ? 'and' : 'or';
    this.#position += kind.length;
    return { kind, isNegated: this.#character() === '!', operands: this.#list(() => this.#logic()) };
  }

  #term(): unknown {
    return {
      relation: this.#optionalName(),
      field: this.#field(),
      direction: this.#until(';') || undefined,
      nulls: this.#until(';') || undefined,
    };
  }
}

function operationOf(word: string): unknown {
  const quantifiable = QUANTIFIABLE.exec(word);
  if (quantifiable) return { kind: 'quantifiable', operator: quantifiable[1], quantifier: quantifiable[2] };
  if (SIMPLE.test(word)) return { kind: 'simple', operator: word };
  const search = SEARCH.exec(word);
  if (search) return { kind: 'search', operator: search[1], hasConfig: search[2] !== undefined };
  if (word.startsWith('is.')) return { kind: 'is', value: word.slice(3) };
  return { kind: word };
}
