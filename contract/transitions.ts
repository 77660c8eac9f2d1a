/** Declares a table of the states of an object, in order, each with the states that may follow it. */
export const transitions = <S extends string>(table: Record<S, readonly NoInfer<S>[]>) => table
