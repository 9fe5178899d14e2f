/** Whether two types accept the same values; `any` equals only itself. */
export type Same<A, B> =
  IsAny<A> extends IsAny<B> ? ([A] extends [B] ? ([B] extends [A] ? true : false) : false) : false;

type IsAny<T> = 0 extends 1 & T ? true : false;
