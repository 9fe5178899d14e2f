/** The operators of a syntax, for tests that hold for each of them. */
import { OPERATORS, type Operator, type OperatorNameOf } from '../../operators.ts';

/** Their names, in the order of the table. */
export function operatorNames<Syntax extends Operator['syntax']>(syntax: Syntax): OperatorNameOf<Syntax>[] {
  const names = Object.entries(OPERATORS).flatMap(([name, operator]) =>
    operator.syntax === syntax ? [name] : [],
  );
  return names as OperatorNameOf<Syntax>[];
}
